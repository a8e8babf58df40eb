import { Problem } from '@corner/contracts';
import { orderNotPaid } from '../order/rules/order-status.ts';
import type { ProviderOutcome } from '../provider/rules.ts';

/** A paid order, or one leg of it, with what has been refunded of it so far. */
export interface Refundable {
  readonly payment_status: string;
  /** What was paid for the whole order. */
  readonly total_pence: number;
  readonly disputed: boolean;
  readonly paidAt: Date | null;
  /** Sum of the refunds that are pending or were accepted. */
  readonly reservedPence: number;
  /** Number of the refunds that are pending or were accepted. */
  readonly refunds: number;
  /** Pence that were reversed from the store's account for refunds that then failed, less what later refunds have used of them. */
  readonly reversedPence: number;
  /** For a leg: its own total less what was refunded of it. */
  readonly legRemainingPence?: number | undefined;
  readonly windowDays: number;
}

export interface DecidedRefund {
  readonly amountPence: number;
  /** 'store': the provider reverses the store's transfer. 'reversed': an earlier refund reversed it, or a part of it, and then failed. */
  readonly borneBy: 'store' | 'reversed';
  /** The rest of the amount, for which the transfer is reversed by itself before the refund is made. */
  readonly toReversePence: number;
}

/** The most refunds one order can have. */
const mostRefunds = 20;

/**
 * Decides the amount of a refund; without a requested amount it is all that remains. Throws ORDER_NOT_PAID, ORDER_DISPUTED,
 * REFUND_WINDOW_EXPIRED, REFUND_AMOUNT_EXCEEDS_REMAINING, ALREADY_REFUNDED and REFUND_LIMIT_REACHED.
 */
export function decideRefund(order: Refundable, requestedPence: number | null | undefined, now: Date): DecidedRefund {
  if (order.payment_status !== 'paid' || !order.paidAt) throw orderNotPaid(order);
  if (order.disputed) throw new Problem('ORDER_DISPUTED');
  if (now.getTime() > order.paidAt.getTime() + order.windowDays * 86_400_000) {
    throw new Problem('REFUND_WINDOW_EXPIRED', { message: `Orders can be refunded for ${order.windowDays} days after payment.` });
  }
  const remaining = Math.min(order.total_pence - order.reservedPence, order.legRemainingPence ?? Number.POSITIVE_INFINITY);
  if (order.total_pence === 0 && requestedPence) throw exceeds('nothing was paid; leave it out to take back the stamps');
  if ((remaining === 0 && order.total_pence > 0) || (order.total_pence === 0 && order.refunds > 0)) throw new Problem('ALREADY_REFUNDED');
  if (order.refunds >= mostRefunds) throw new Problem('REFUND_LIMIT_REACHED');
  const amountPence = requestedPence ?? remaining;
  if (amountPence > remaining) throw exceeds(`${remaining} pence are left to refund`);
  if (order.reversedPence <= 0) return { amountPence, borneBy: 'store', toReversePence: 0 };
  // With the refund the provider would reverse all of its amount, so what is still missing is reversed by itself.
  return { amountPence, borneBy: 'reversed', toReversePence: Math.max(0, amountPence - order.reversedPence) };
}

/** Throws IDEMPOTENCY_KEY_REUSED when an attempt is repeated for something else: another amount, or all instead of an amount. */
export function checkRepeatedAttempt(refund: { readonly requested_pence: number | null }, requestedPence: number | null): void {
  if (requestedPence === refund.requested_pence) return;
  const before = refund.requested_pence === null ? 'all that remained' : `${refund.requested_pence} pence`;
  throw new Problem('IDEMPOTENCY_KEY_REUSED', {
    message: `amount_pence: this attempt was for ${before}; send a new refund_attempt_id for another refund.`,
  });
}

/** How a caller names an attempt: by an id of its own, or only by the key of the request. */
export interface AttemptName {
  readonly name: string;
  /** Whether the name is an id that the caller chose for this one attempt. Else, after a refund that failed, the same name means a new attempt. */
  readonly isOwnId: boolean;
}

/** Whether a refund moved no money in the end, so that a request without an attempt id is a new attempt. */
export const hasEndedInVain = ({ status }: { readonly status: string }): boolean =>
  status === 'rejected' || status === 'failed' || status === 'canceled';

/** The name of the nth attempt that a caller has not given an id. */
export const nthAttempt = (name: string, nth: number): string => (nth === 1 ? name : `${name}#${nth}`);

/** Refunds that this service owes by itself, of payments that came after or during the end of an order. They are asked for until made. */
export const owedAttempts = { tooLate: 'paid-too-late', whileCancelled: 'paid-while-cancelled' } as const;

/** Whether a refund is owed, so that a refusal of the provider is not its end. */
export const isOwed = ({ attempt }: { readonly attempt: string }): boolean => Object.values<string>(owedAttempts).includes(attempt);

/** The key under which an attempt is stored with the payment; a leg's attempts have their own name space. */
export const attemptKey = (attempt: string, targetId: string, paymentOrderId: string): string =>
  targetId === paymentOrderId ? attempt : `${targetId}:${attempt}`;

const exceeds = (message: string) => new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', { message: `amount_pence: ${message}.` });

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
