import type { Transaction } from '@corner/chassis';
import { Problem, type ProviderMode } from '@corner/contracts';
import { appendLog, type LogEntry } from '../../order/tables/log.ts';
import { lockFamily, type OrderFamily, type OrderRow } from '../../order/tables/orders.ts';
import { checkMode, refundKey } from '../../provider/rules.ts';
import {
  checkCancelledRefund,
  checkStaffLimit,
  checkSteps,
  decideRefund,
  hasEndedInVain,
  remainingPence,
  restOfCancelled,
} from '../rules/amounts.ts';
import {
  type AttemptName,
  attemptKey,
  attemptOf,
  checkRepeatedAttempt,
  isOwedFor,
  isRefundedWithOrder,
  owedAttempts,
  type RequestedRefund,
} from '../rules/attempts.ts';
import { linesInWords, priceRefundedLines, sumOfLines } from '../rules/lines.ts';
import { findRefunds, findRefundTerms, insertRefund, lowerRefund, type NewRefund, type RefundRow } from '../tables.ts';

export interface RefundRequest extends RequestedRefund {
  readonly storeId: string;
  readonly orderId: string;
  readonly attempt: AttemptName;
  readonly reason: string;
  readonly by: RefundingPerson;
  readonly mode: ProviderMode;
}

export interface RefundingPerson {
  readonly id: string;
  readonly name: string | null;
  /** Whether the store's limit for staff applies: the person's role there is below manager. */
  readonly isLimited: boolean;
}

export interface ReservedRefund {
  readonly order: OrderRow;
  readonly refund: RefundRow;
}

/**
 * Reserves a refund under the order's lock, before the provider is called. A repeat of an attempt returns its refund. Without an attempt
 * id, a request after one that moved no money in the end is a new attempt. Throws ORDER_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, and the
 * problems of {@link priceRefundedLines}, {@link decideRefund} and {@link checkStaffLimit}.
 */
export async function reserveRefund(tx: Transaction, request: RefundRequest): Promise<ReservedRefund> {
  const { storeId, by, reason } = request;
  const family = await lockFamily(tx, storeId, request.orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { main, named: target } = family;
  checkMode(main, request.mode);
  const refunds = await findRefunds(tx, main.id);
  const { attempt, existing } = attemptOf(request.attempt, { main, target, refunds });
  if (existing) {
    checkRepeatedAttempt(existing, request, main.currency);
    return { order: main, refund: existing };
  }
  checkSteps(request.amountPence, main.currency);
  if (target !== main && isRefundedWithOrder(target, refunds)) throw new Problem('ALREADY_REFUNDED');
  const lines = request.lines ? priceRefundedLines(family, refunds, request.lines) : [];
  const requestedPence = request.lines ? sumOfLines(lines) : request.amountPence;
  const { windowDays, staffLimitPence } = await findRefundTerms(tx, storeId);
  const refundable = { main, target, refunds, windowDays };
  const decided = decideRefund(refundable, requestedPence, tx.now, request.lines ? 'lines' : 'amount_pence');
  if (by.isLimited) checkStaffLimit(decided.amountPence, refunds, staffLimitPence, main.currency);
  const refund = {
    storeId,
    paymentOrderId: main.id,
    orderId: target.id,
    attempt,
    key: refundKey(main.id, attempt),
    ...decided,
    // Free lines have no requested amount, only their units.
    requestedPence: requestedPence || null,
    lines,
    reason,
    byId: by.id,
    byName: by.name,
  };
  const entry = requested(refund);
  const detail = lines.length > 0 ? `${reason} (${linesInWords(lines, target)})` : reason;
  return { order: main, refund: await insertRefund(tx, refund, { ...entry, detail }) };
}

export interface OwedRefund {
  readonly storeId: string;
  readonly orderId: string;
  readonly owed: keyof typeof owedAttempts;
  readonly amountPence: number;
  readonly reason: string;
}

/** Reserves a refund that the service owes, for a payment that came during or after the end of its order. */
export async function reserveOwedRefund(tx: Transaction, { storeId, orderId, owed, amountPence, reason }: OwedRefund): Promise<RefundRow> {
  const attempt = owedAttempts[owed];
  const refund = {
    storeId,
    paymentOrderId: orderId,
    orderId,
    attempt,
    key: refundKey(orderId, attempt),
    amountPence,
    requestedPence: null,
    lines: [],
    reason,
    byId: 'corner',
    byName: null,
    borneBy: 'store',
    toReversePence: 0,
  } as const;
  return await insertRefund(tx, refund, requested(refund));
}

export interface RestRefund {
  readonly family: OrderFamily;
  readonly endsWhole: boolean;
  readonly owed: keyof typeof owedAttempts;
  readonly reason: string;
}

/** Reserves the owed refund of a cancelled order or leg. Null when there is nothing to refund. */
export async function reserveRestRefund(tx: Transaction, { family, endsWhole, owed, reason }: RestRefund): Promise<RefundRow | null> {
  const { id: paymentOrderId, store_id: storeId } = family.main;
  const refunds = await findRefunds(tx, paymentOrderId);
  const decided = restOfCancelled({ ...family, endsWhole, refunds });
  if (!decided) return null;
  const { target, amountPence, borneBy, toReversePence } = decided;
  const attempt = attemptKey(owedAttempts[owed], target.id, paymentOrderId);
  const key = refundKey(paymentOrderId, attempt);
  const money = { amountPence, requestedPence: null, lines: [], borneBy, toReversePence } as const;
  const refund = { storeId, paymentOrderId, orderId: target.id, attempt, key, reason, byId: 'corner', byName: null, ...money };
  return await insertRefund(tx, refund, requested(refund));
}

/**
 * Reserves the refund of what is left of a deposit, once; a job makes it. An order that is not paid, or is refunded already, stays as it is.
 * A deposit that staff marked as handed over goes back all the same.
 */
export async function reserveDepositRefund(tx: Transaction, { storeId, orderId, reason }: Omit<OwedRefund, 'owed' | 'amountPence'>) {
  const family = await lockFamily(tx, storeId, orderId);
  if (family?.main.payment_status !== 'paid' || family.main.booking_ref === null) return;
  const refunds = await findRefunds(tx, orderId);
  if (refunds.some((refund) => isOwedFor('deposit', refund))) return;
  const main = { ...family.main, collected_at: null };
  await reserveRestRefund(tx, { family: { ...family, main, named: main }, endsWhole: true, owed: 'deposit', reason });
}

export interface StaffCancellation extends Omit<RestRefund, 'owed'> {
  readonly by: RefundingPerson;
}

/**
 * Reserves the refund of an order or leg that staff cancel, or that is cancelled already; a repeat returns the same refund. Null when
 * there is nothing to refund. Throws ORDER_DISPUTED, REFUND_WINDOW_EXPIRED, REFUND_LIMIT_REACHED and INSUFFICIENT_ROLE.
 */
export async function reserveRefundOfStaff(tx: Transaction, cancellation: StaffCancellation): Promise<RefundRow | null> {
  const { family, endsWhole, reason, by } = cancellation;
  const { main, named } = family;
  const refunds = await findRefunds(tx, main.id);
  if (named !== main && isRefundedWithOrder(named, refunds)) return null;
  const decided = restOfCancelled({ ...family, endsWhole, refunds });
  const made = refunds.find(
    (refund) => refund.order_id === (decided?.target ?? named).id && isOwedFor('cancelledByStore', refund) && !hasEndedInVain(refund),
  );
  if (made || !decided) return made ?? null;
  const { target, ...money } = decided;
  const { windowDays, staffLimitPence } = await findRefundTerms(tx, main.store_id);
  checkCancelledRefund({ main, refunds, windowDays }, tx.now);
  if (by.isLimited) checkStaffLimit(money.amountPence, refunds, staffLimitPence, main.currency);
  const { attempt } = attemptOf({ name: owedAttempts.cancelledByStore, isOwnId: false }, { main, target, refunds });
  const key = refundKey(main.id, attempt);
  const ids = { storeId: main.store_id, paymentOrderId: main.id, orderId: target.id };
  const refund = { ...ids, ...money, attempt, key, requestedPence: null, lines: [], reason, byId: by.id, byName: by.name };
  return await insertRefund(tx, refund, requested(refund));
}

const requested = ({ storeId, orderId, reason, byName, amountPence }: NewRefund): LogEntry => ({
  storeId,
  orderId,
  kind: 'refund_requested',
  title: 'A refund was requested',
  detail: reason,
  actor: byName,
  amountPence,
});

/**
 * Lowers a pending owed refund to the rest that other refunds have left of the payment, and returns it. A refund that fits, or that has
 * ended, stays as it is. Null when nothing is left.
 */
export async function reduceOwedRefund(
  tx: Transaction,
  { id, store_id: storeId, payment_order_id: orderId }: RefundRow,
): Promise<RefundRow | null> {
  const family = await lockFamily(tx, storeId, orderId);
  const refunds = await findRefunds(tx, orderId);
  const refund = refunds.find((one) => one.id === id) ?? null;
  if (!family || refund?.status !== 'pending' || refund.provider_refund_id) return refund;
  const others = refunds.filter((one) => one !== refund);
  const target = family.legs.find((leg) => leg.id === refund.order_id) ?? family.main;
  const amountPence = Math.min(refund.amount_pence, remainingPence(family.main, target, others));
  if (amountPence <= 0) return null;
  if (amountPence === refund.amount_pence) return refund;
  await lowerRefund(tx, id, amountPence);
  const title = 'The refund was lowered to what is left of the payment';
  await appendLog(tx, { storeId, orderId, kind: 'refund_requested', title, detail: refund.reason, amountPence });
  return { ...refund, amount_pence: amountPence };
}
