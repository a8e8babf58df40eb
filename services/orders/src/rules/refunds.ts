import { Problem } from '@corner/contracts';

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
  /** Pence that were reversed from the store's account by refunds that then failed, less what later refunds have used of them. */
  readonly reversedPence: number;
  /** For a leg: its own total less what was refunded of it. */
  readonly legRemainingPence?: number | undefined;
  readonly windowDays: number;
}

export interface DecidedRefund {
  readonly amountPence: number;
  /** 'store': the provider reverses the store's transfer. 'reversed': an earlier refund reversed it and then failed. */
  readonly borneBy: 'store' | 'reversed';
}

/** The most refunds one order can have. */
const mostRefunds = 20;

/**
 * Decides the amount of a refund; without a requested amount it is all that remains. Throws ORDER_NOT_PAID, ORDER_DISPUTED,
 * REFUND_WINDOW_EXPIRED, REFUND_AMOUNT_EXCEEDS_REMAINING, ALREADY_REFUNDED and REFUND_LIMIT_REACHED.
 */
export function decideRefund(order: Refundable, requestedPence: number | null | undefined, now: Date): DecidedRefund {
  if (order.payment_status !== 'paid' || !order.paidAt) throw new Problem('ORDER_NOT_PAID');
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
  if (order.reversedPence <= 0) return { amountPence, borneBy: 'store' };
  // A refund reverses either all of its amount or nothing, so what is reversed already must be used up first.
  if (amountPence > order.reversedPence) {
    throw exceeds(`an earlier refund of ${order.reversedPence} pence came back; refund at most that much first, then the rest`);
  }
  return { amountPence, borneBy: 'reversed' };
}

/** Throws IDEMPOTENCY_KEY_REUSED when an attempt is repeated with another amount. */
export function checkRepeatedAttempt(refund: { readonly amount_pence: number }, requestedPence: number | null | undefined): void {
  if (!requestedPence || requestedPence === refund.amount_pence) return;
  throw new Problem('IDEMPOTENCY_KEY_REUSED', {
    message: `amount_pence: this attempt was for ${refund.amount_pence} pence; send a new refund_attempt_id for another refund.`,
  });
}

/** The key under which an attempt is stored with the payment; a leg's attempts have their own name space. */
export const attemptKey = (attempt: string, targetId: string, paymentOrderId: string): string =>
  targetId === paymentOrderId ? attempt : `${targetId}:${attempt}`;

const exceeds = (message: string) => new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', { message: `amount_pence: ${message}.` });
