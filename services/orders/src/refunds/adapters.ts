import type Stripe from 'stripe';
import { z } from 'zod';
import type { KnownState } from '../provider/adapters/states.ts';
import { calling, idOf, orNull, Reference } from '../provider/adapters.ts';
import type { ProviderOutcome } from '../provider/rules.ts';

/** A refund at the provider. `refundId` is our id; null for one made at the provider's dashboard. */
export interface ProviderRefund extends ProviderOutcome {
  readonly amountPence: number;
  readonly intentId: string | null;
  readonly refundId: string | null;
  readonly reversesTransfer: boolean;
}

interface RequestedRefund {
  readonly refundId: string;
  readonly orderId: string;
  readonly intentId: string;
  readonly amountPence: number;
  /** True when there was an application fee and the store bears the refund. */
  readonly withFee: boolean;
  readonly borneBy: 'store' | 'reversed' | 'platform';
}

export interface Refunds {
  refund(request: RequestedRefund, key: string): Promise<ProviderRefund>;
  /** Null when the platform's account does not know it. */
  refundById(providerRefundId: string): Promise<ProviderRefund | null>;
  refundsOf(intentId: string): Promise<readonly ProviderRefund[]>;
}

export function createRefunds(stripe: Stripe, known: KnownState): Refunds {
  const refundOf = (refund: Stripe.Refund) => readRefund(refund, known);
  return {
    refund: ({ refundId, orderId, intentId, amountPence, withFee, borneBy }, idempotencyKey) =>
      calling(async () =>
        refundOf(
          await stripe.refunds.create(
            {
              payment_intent: intentId,
              amount: amountPence,
              reverse_transfer: borneBy === 'store',
              ...(withFee ? { refund_application_fee: true } : {}),
              metadata: { order_id: orderId, refund_id: refundId },
            },
            { idempotencyKey },
          ),
        ),
      ),
    refundById: (id) => calling(() => orNull(async () => refundOf(await stripe.refunds.retrieve(id)))),
    refundsOf: (intentId) => calling(async () => (await stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data.map(refundOf)),
  };
}

const Refund = z.object({
  id: z.string(),
  status: z.string().nullish(),
  amount: z.int(),
  payment_intent: Reference,
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
  failure_balance_transaction: Reference,
  transfer_reversal: Reference,
});
const refundStates = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;

/** A refund in an unknown state has failed when its money has been returned, and is under way otherwise. */
function readRefund(listed: Stripe.Refund, known: KnownState): ProviderRefund {
  const refund = Refund.parse(listed);
  const byMoney = refund.failure_balance_transaction ? 'failed' : 'pending';
  return {
    id: refund.id,
    status: known('refund', refundStates, refund.status ?? 'pending') ?? byMoney,
    amountPence: refund.amount,
    intentId: idOf(refund.payment_intent),
    refundId: refund.metadata?.refund_id ?? null,
    failureReason: refund.failure_reason ?? null,
    reversesTransfer: refund.transfer_reversal !== null && refund.transfer_reversal !== undefined,
  };
}
