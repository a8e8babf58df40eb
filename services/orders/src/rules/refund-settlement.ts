/** A refund as the provider reports it. */
export interface ProviderOutcome {
  readonly id: string;
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  /** Why it failed, in the provider's words, for example `expired_or_canceled_card`. Null when it names no reason. */
  readonly failureReason?: string | null;
}

interface Refund {
  readonly status: string;
  readonly provider_refund_id: string | null;
  readonly amount_pence: number;
  /** Whether the order's sums include it. */
  readonly counted: boolean;
}

interface RefundedOrder {
  readonly total_pence: number;
  readonly refunded_pence: number;
  readonly fully_refunded: boolean;
  /** Null for an order whose payment came too late: it lost its promo code before any refund. */
  readonly is_first: boolean | null;
}

/** What a provider's report changes on the refund and its order. */
export interface RefundSettlement {
  /** Whether the order's sums include the refund from now on. */
  readonly counted: boolean;
  /** 'added' to the sums, 'removed' from them, 'failed' before it was ever in them, or null when nothing is to be published. */
  readonly change: 'added' | 'removed' | 'failed' | null;
  /** The order's refunded sum after the change, in pence. */
  readonly refundedPence: number;
  readonly fullyRefunded: boolean;
  /** A full refund releases the promo code; when such a refund fails the code is used again. */
  readonly promo: 'release' | 'retake' | null;
}

/**
 * Decides what a provider's report changes. Null when nothing does: the report is known already, or the refund has failed before,
 * which is final.
 */
export function settlementOf(order: RefundedOrder, refund: Refund, outcome: ProviderOutcome): RefundSettlement | null {
  if (refund.status === outcome.status && refund.provider_refund_id === outcome.id && refund.counted) return null;
  if (refund.status === 'failed' || refund.status === 'canceled') return null;
  const counted = outcome.status === 'succeeded' || outcome.status === 'pending' || outcome.status === 'requires_action';
  const change = changeOf(refund.counted, counted);
  const refundedPence = order.refunded_pence + (change === 'added' ? refund.amount_pence : change === 'removed' ? -refund.amount_pence : 0);
  const fullyRefunded = change === 'added' ? refundedPence >= order.total_pence : change === 'removed' ? false : order.fully_refunded;
  return { counted, change, refundedPence, fullyRefunded, promo: promoChange(order, fullyRefunded) };
}

function changeOf(before: boolean, now: boolean): RefundSettlement['change'] {
  if (before === now) return now ? null : 'failed';
  return now ? 'added' : 'removed';
}

function promoChange(order: RefundedOrder, fullyRefunded: boolean): RefundSettlement['promo'] {
  if (fullyRefunded && !order.fully_refunded) return 'release';
  if (!fullyRefunded && order.fully_refunded && order.is_first !== null) return 'retake';
  return null;
}
