import type Stripe from 'stripe';
import type { ProviderOutcome } from '../rules/refund-settlement.ts';

/** The fields of a payment intent that orders uses. */
export interface Intent {
  readonly id: string;
  readonly status: string;
  readonly clientSecret: string | null;
  readonly amountPence: number;
  readonly currency: string;
  readonly destination: string | null;
  readonly orderId: string | null;
  readonly chargeId: string | null;
}

export interface ProviderRefund extends ProviderOutcome {
  readonly amountPence: number;
  readonly intentId: string | null;
  /** The id of the refund here; null for one made at the provider's dashboard. */
  readonly refundId: string | null;
  /** Whether the store's transfer was reversed with it. */
  readonly reversesTransfer: boolean;
}

/** Converts an intent. */
export function intentOf(intent: Stripe.PaymentIntent): Intent {
  return {
    id: intent.id,
    status: intent.status,
    clientSecret: intent.client_secret,
    amountPence: intent.amount,
    currency: intent.currency.toUpperCase(),
    destination: idOf(intent.transfer_data?.destination),
    orderId: intent.metadata.order_id ?? null,
    chargeId: idOf(intent.latest_charge),
  };
}

/** Converts a refund. */
export function refundOf(refund: Stripe.Refund): ProviderRefund {
  return {
    id: refund.id,
    status: (refund.status ?? 'pending') as ProviderRefund['status'],
    amountPence: refund.amount,
    intentId: idOf(refund.payment_intent),
    refundId: refund.metadata?.refund_id ?? null,
    failureReason: refund.failure_reason ?? null,
    reversesTransfer: refund.transfer_reversal !== null && refund.transfer_reversal !== undefined,
  };
}

/** The id of a reference, expanded or not. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
