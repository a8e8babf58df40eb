import type Stripe from 'stripe';
import { z } from 'zod';
import type { KnownState } from '../provider/adapters/states.ts';
import { calling, idOf, orNull, Reference } from '../provider/adapters.ts';
import { disputeState, knownDisputeStates, type ProviderDispute } from './rules.ts';

export interface Disputes {
  intentOfDispute(disputeId: string): Promise<string | null>;
  disputesOf(intentId: string): Promise<readonly ProviderDispute[]>;
}

export const createDisputes = (stripe: Stripe, known: KnownState): Disputes => ({
  intentOfDispute: (id) => calling(() => orNull(async () => idOf(Reference.parse((await stripe.disputes.retrieve(id)).payment_intent)))),
  disputesOf: (intentId) =>
    calling(async () =>
      (await stripe.disputes.list({ payment_intent: intentId, limit: 100 })).data.map((one) => disputeOf(one, known)).toReversed(),
    ),
});

const Dispute = z.object({
  id: z.string(),
  status: z.string(),
  reason: z.string().nullish(),
  amount: z.int(),
  currency: z.string(),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
  charge: Reference,
  balance_transactions: z.array(z.object({ id: z.string(), amount: z.int(), fee: z.int(), currency: z.string() })),
});

function disputeOf(listed: Stripe.Dispute, known: KnownState): ProviderDispute {
  const { id, status, reason, amount, currency, evidence_details, charge, balance_transactions } = Dispute.parse(listed);
  const movements = balance_transactions.map((movement) => ({
    id: movement.id,
    amountPence: movement.amount,
    feePence: movement.fee,
    currency: movement.currency.toUpperCase(),
  }));
  return {
    id,
    state: disputeState(known('dispute', knownDisputeStates, status), movements),
    reason: reason || null,
    amountPence: amount,
    currency: currency.toUpperCase(),
    evidenceDueBy: evidence_details?.due_by ? new Date(evidence_details.due_by * 1000) : null,
    awaitsEvidence: status === 'needs_response' || status === 'appeal_needs_response',
    chargeId: idOf(charge),
    movements,
  };
}

export interface Transfer {
  readonly id: string;
  readonly amountPence: number;
  readonly reversedPence: number;
}

export interface ShareMovement {
  readonly id: string;
  readonly amountPence: number;
  /** The id of the dispute or the refund it was made for; null for any other. */
  readonly madeFor: string | null;
}

interface ShareRequest {
  readonly madeFor: { readonly kind: 'dispute' | 'refund'; readonly id: string };
  readonly orderId: string;
  readonly amountPence: number;
}

export interface Transfers {
  /** The transfer of an intent's payment; null when it was paid to the platform itself. */
  transferOf(intentId: string): Promise<Transfer | null>;
  /** Reverses a part of a transfer. `withFee` says whether the application fee of that part is refunded too. */
  reverseTransfer(transferId: string, request: ShareRequest & { readonly withFee: boolean }, key: string): Promise<ShareMovement>;
  reversalsOf(transferId: string): Promise<readonly ShareMovement[]>;
  /** Pays a store's account from the platform's balance. `currency` is upper case. */
  payStore(request: ShareRequest & { readonly account: string; readonly currency: string }, key: string): Promise<ShareMovement>;
  transfersOf(orderId: string): Promise<readonly ShareMovement[]>;
}

const most = 1_000;

export const createTransfers = (stripe: Stripe): Transfers => ({
  transferOf: (intentId) =>
    calling(async () => {
      const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] });
      const transferId = typeof charge === 'object' ? idOf(Reference.parse(charge?.transfer)) : null;
      if (!transferId) return null;
      const { id, amount, amount_reversed } = Movement.extend({ amount_reversed: z.int() }).parse(
        await stripe.transfers.retrieve(transferId),
      );
      return { id, amountPence: amount, reversedPence: amount_reversed };
    }),
  reverseTransfer: (transferId, request, idempotencyKey) =>
    calling(async () => {
      const fee = request.withFee ? { refund_application_fee: true } : {};
      const reversal = { amount: request.amountPence, ...fee, metadata: metadataOf(request) };
      return movementOf(await stripe.transfers.createReversal(transferId, reversal, { idempotencyKey }));
    }),
  reversalsOf: (transferId) =>
    calling(async () =>
      (await stripe.transfers.listReversals(transferId, { limit: 100 }).autoPagingToArray({ limit: most })).map(movementOf),
    ),
  payStore: (request, idempotencyKey) =>
    calling(async () =>
      movementOf(
        await stripe.transfers.create(
          {
            amount: request.amountPence,
            currency: request.currency.toLowerCase(),
            destination: request.account,
            transfer_group: request.orderId,
            metadata: metadataOf(request),
          },
          { idempotencyKey },
        ),
      ),
    ),
  transfersOf: (orderId) =>
    calling(async () =>
      (await stripe.transfers.list({ transfer_group: orderId, limit: 100 }).autoPagingToArray({ limit: most })).map(movementOf),
    ),
});

const metadataOf = ({ madeFor, orderId }: ShareRequest) => ({ [`${madeFor.kind}_id`]: madeFor.id, order_id: orderId });

const Movement = z.object({ id: z.string(), amount: z.int(), metadata: z.record(z.string(), z.string()).nullish() });

function movementOf(listed: Stripe.Transfer | Stripe.TransferReversal): ShareMovement {
  const { id, amount, metadata } = Movement.parse(listed);
  return { id, amountPence: amount, madeFor: metadata?.dispute_id ?? metadata?.refund_id ?? null };
}
