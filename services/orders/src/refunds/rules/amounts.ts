import { formatMoney, isWholeSteps, Problem, rulesOfCurrency } from '@corner/contracts';
import { orderNotPaid } from '../../order/rules/status.ts';

/**
 * The fields of a stored refund that decisions depend on. A counted refund is in the sums of the order; `lines` is empty for a refund of
 * an amount.
 */
export interface StoredRefund {
  readonly id: string;
  readonly order_id: string;
  readonly attempt: string;
  readonly amount_pence: number;
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled' | 'rejected';
  readonly provider_refund_id: string | null;
  readonly counted: boolean;
  readonly borne_by: 'store' | 'reversed' | 'platform';
  readonly reversed_pence: number;
  readonly lines: readonly RefundedLine[];
}

export interface RequestedLine {
  readonly position: number;
  readonly quantity: number;
  readonly restock: boolean;
}

export interface RefundedLine extends RequestedLine {
  readonly amount_pence: number;
}

export interface Priced {
  readonly id: string;
  readonly total_pence: number;
}

/** Whether a refund moved no money in the end, so that its amount is free again. */
export const hasEndedInVain = ({ status }: Pick<StoredRefund, 'status'>): boolean =>
  status === 'rejected' || status === 'failed' || status === 'canceled';

export const sumOf = (refunds: readonly StoredRefund[]): number => refunds.reduce((sum, { amount_pence }) => sum + amount_pence, 0);

/** Returns the refundable rest in pence: at most a leg's own share, and the rest of the payment. */
export function remainingPence(main: Priced, target: Priced, refunds: readonly StoredRefund[]): number {
  const reserved = refunds.filter((refund) => !hasEndedInVain(refund));
  const ofPayment = main.total_pence - sumOf(reserved);
  if (target.id === main.id) return ofPayment;
  return Math.min(ofPayment, target.total_pence - sumOf(reserved.filter(({ order_id }) => order_id === target.id)));
}

/** Pence that failed refunds took from the store's transfer and that are still unused: later refunds use them first. */
function reversedPence(refunds: readonly StoredRefund[]): number {
  const failed = refunds.filter(({ status, borne_by, provider_refund_id: id }) => isFailed(status) && borne_by === 'store' && id !== null);
  const used = refunds.filter((refund) => !hasEndedInVain(refund) && refund.borne_by === 'reversed');
  return sumOf(failed) + refunds.reduce((sum, { reversed_pence }) => sum + reversed_pence, 0) - sumOf(used);
}

export const isFailed = (status: string): boolean => status === 'failed' || status === 'canceled';

export interface Refundable {
  readonly main: Priced & {
    readonly currency: string;
    readonly payment_status: string;
    readonly disputed: boolean;
    readonly paid_at: string | null;
  };
  readonly target: Priced;
  readonly refunds: readonly StoredRefund[];
  readonly windowDays: number;
}

export interface DecidedRefund {
  readonly amountPence: number;
  /**
   * 'store': the provider reverses the store's transfer. 'reversed': at least a part is paid from a failed refund's earlier reversal, and
   * the transfer is reversed separately by `toReversePence` before the refund is made.
   */
  readonly borneBy: 'store' | 'reversed';
  readonly toReversePence: number;
}

const mostRefunds = 20;

/**
 * Decides the amount of a refund; without a requested amount it is all that remains. Throws ORDER_NOT_PAID, ORDER_DISPUTED,
 * REFUND_WINDOW_EXPIRED, REFUND_AMOUNT_EXCEEDS_REMAINING, ALREADY_REFUNDED and REFUND_LIMIT_REACHED.
 */
export function decideRefund(
  { main, target, refunds, windowDays }: Refundable,
  requestedPence: number | null,
  now: Date,
  field: RefundField = 'amount_pence',
): DecidedRefund {
  checkPayment(main, windowDays, now);
  const remaining = remainingPence(main, target, refunds);
  const made = refunds.filter((refund) => !hasEndedInVain(refund)).length;
  const isFree = main.total_pence === 0;
  // A free line moves no money, so nothing needs to be left of the payment.
  const movesNothing = field === 'lines' && requestedPence === 0 && !isFree;
  if (isFree && requestedPence) throw exceeds(field, 'nothing was paid; leave it out to take back the stamps');
  if (isFree ? made > 0 : remaining === 0 && !movesNothing) throw new Problem('ALREADY_REFUNDED');
  if (made >= mostRefunds) throw new Problem('REFUND_LIMIT_REACHED');
  const amountPence = requestedPence ?? remaining;
  if (amountPence > remaining) throw exceeds(field, `${formatMoney(remaining, main.currency, 'en-GB')} is left to refund`);
  return borneRefund(amountPence, refunds);
}

function checkPayment(main: Refundable['main'], windowDays: number, now: Date): void {
  if (main.payment_status !== 'paid' || !main.paid_at) throw orderNotPaid(main);
  if (main.disputed) throw new Problem('ORDER_DISPUTED');
  if (now.getTime() > Date.parse(main.paid_at) + windowDays * 86_400_000) {
    throw new Problem('REFUND_WINDOW_EXPIRED', { message: `Orders can be refunded for ${windowDays} days after payment.` });
  }
}

function borneRefund(amountPence: number, refunds: readonly StoredRefund[]): DecidedRefund {
  const reversed = reversedPence(refunds);
  if (reversed <= 0) return { amountPence, borneBy: 'store', toReversePence: 0 };
  // The provider would reverse the whole amount with the refund, so only the missing part is reversed, separately.
  return { amountPence, borneBy: 'reversed', toReversePence: Math.max(0, amountPence - reversed) };
}

/** Throws INSUFFICIENT_ROLE when all refunds of an order, with a new one by staff, exceed the store's limit for staff. */
export function checkStaffLimit(amountPence: number, refunds: readonly StoredRefund[], limitPence: number | null, currency: string): void {
  const made = sumOf(refunds.filter((refund) => !hasEndedInVain(refund)));
  if (limitPence === null || made + amountPence <= limitPence) return;
  const limit = formatMoney(limitPence, currency, 'en-GB');
  throw new Problem('INSUFFICIENT_ROLE', { message: `Staff can refund up to ${limit} of an order; a manager can refund more.` });
}

export function checkCancelledRefund({ main, refunds, windowDays }: Pick<Refundable, 'main' | 'refunds' | 'windowDays'>, now: Date): void {
  checkPayment(main, windowDays, now);
  if (refunds.filter((refund) => !hasEndedInVain(refund)).length >= mostRefunds) throw new Problem('REFUND_LIMIT_REACHED');
}

interface Cancelled extends Priced {
  /** Stays set when a handed-over order is cancelled; null when it was never handed over. */
  readonly collected_at: string | null;
}

/** A cancelled order or leg (`named`) with its payment. `endsWhole` is set when the main order is cancelled with it. */
export interface CancelledOrder<O extends Cancelled> {
  readonly named: O;
  readonly main: O;
  readonly legs: readonly O[];
  readonly endsWhole: boolean;
  readonly refunds: readonly StoredRefund[];
}

/**
 * Decides the refund of a cancellation: a leg's share; for the whole order, or its last leg when all others are refunded, the rest
 * including the tip, except parts that were handed over. Null when there is nothing to refund. A free order has one refund, which returns
 * its voucher.
 */
export function restOfCancelled<O extends Cancelled>(cancelled: CancelledOrder<O>): (DecidedRefund & { readonly target: O }) | null {
  const { named, main, legs, endsWhole, refunds } = cancelled;
  const othersLeft = legs.some((leg) => leg !== named && remainingPence(main, leg, refunds) > 0);
  const target = named === main || (endsWhole && !othersLeft) ? main : named;
  const amountPence = remainingPence(main, target, refunds) - (target === main ? handedOverPence(cancelled) : 0);
  const isFree = main.total_pence === 0 && target === main && refunds.every(hasEndedInVain);
  return amountPence > 0 || isFree ? { ...borneRefund(amountPence, refunds), target } : null;
}

/** The refundable rest of the parts that the customer has received: the order's own, with its tip, and legs. */
function handedOverPence({ main, legs, refunds }: CancelledOrder<Cancelled>): number {
  const collected = legs.filter(({ collected_at }) => collected_at !== null);
  const ofLegs = collected.reduce((sum, leg) => sum + Math.max(0, remainingPence(main, leg, refunds)), 0);
  if (main.collected_at === null) return ofLegs;
  const ownPence = legs.reduce((rest, leg) => rest - leg.total_pence, main.total_pence);
  const refunded = sumOf(refunds.filter((refund) => refund.order_id === main.id && !hasEndedInVain(refund)));
  return ofLegs + Math.max(0, ownPence - refunded);
}

/** Throws VALIDATION_FAILED for an amount that the currency cannot be refunded in. */
export function checkSteps(amountPence: number | null, currency: string): void {
  if (amountPence === null || isWholeSteps(amountPence, currency)) return;
  const { step } = rulesOfCurrency(currency);
  throw new Problem('VALIDATION_FAILED', { message: `amount_pence: must be a multiple of ${step}, because the currency is ${currency}.` });
}

export type RefundField = 'amount_pence' | 'lines';

export const exceeds = (field: RefundField, message: string) =>
  new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', { message: `${field}: ${message}.` });
