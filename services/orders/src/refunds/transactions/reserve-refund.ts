import type { Transaction } from '@corner/chassis';
import { isWholeSteps, Problem, rulesOfCurrency } from '@corner/contracts';
import { lockFamily } from '../../order/tables/order-family.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import { refundKey } from '../../provider/rules.ts';
import { type AttemptName, attemptKey, checkRepeatedAttempt, decideRefund, hasEndedInVain, nthAttempt } from '../rules.ts';
import { findAttempt, insertRefund, type RefundRow, sumRefunds } from '../tables.ts';

export interface RefundRequest {
  readonly storeId: string;
  /** The order to refund, or a leg; a leg is refunded from the payment of its main order. */
  readonly orderId: string;
  readonly attempt: AttemptName;
  /** Null for all that remains. */
  readonly amountPence: number | null;
  readonly reason: string;
  readonly by: { readonly id: string; readonly name: string | null };
}

/** A refund, and the order whose payment it is refunded from. */
export interface ReservedRefund {
  readonly order: OrderRow;
  readonly refund: RefundRow;
}

/**
 * Reserves a refund under the order's lock, before the provider is asked. A repeat of an attempt returns its refund. A request without an
 * attempt id, after one that moved no money in the end, is a new attempt. Throws ORDER_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, and the problems
 * of {@link decideRefund}.
 */
export async function reserveRefund(tx: Transaction, request: RefundRequest): Promise<ReservedRefund> {
  const { storeId, by, reason } = request;
  const family = await lockFamily(tx, storeId, request.orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { main: payment, named: target } = family;
  const { attempt, existing } = await attemptOf(tx, request.attempt, payment.id, target.id);
  if (existing) {
    checkRepeatedAttempt(existing, request.amountPence);
    return { order: payment, refund: existing };
  }
  checkSteps(request.amountPence, payment.currency);
  const sums = await sumRefunds(tx, storeId, payment.id, target.id);
  const { amountPence, borneBy, toReversePence } = decideRefund(
    {
      ...payment,
      paidAt: payment.paid_at ? new Date(payment.paid_at) : null,
      reservedPence: sums.reserved_pence,
      reversedPence: sums.reversed_pence,
      refunds: sums.refunds,
      windowDays: sums.window_days,
      legRemainingPence: target === payment ? undefined : target.total_pence - sums.reserved_of_target_pence,
    },
    request.amountPence,
    tx.now,
  );
  const title = 'A refund was requested';
  const entry = { storeId, orderId: target.id, kind: 'refund_requested', title, detail: reason, actor: by.name, amountPence };
  const refund = {
    storeId,
    paymentOrderId: payment.id,
    orderId: target.id,
    attempt,
    key: refundKey(payment.id, attempt),
    amountPence,
    requestedPence: request.amountPence,
    reason,
    byId: by.id,
    byName: by.name,
    borneBy,
    toReversePence,
  };
  return { order: payment, refund: await insertRefund(tx, refund, entry) };
}

/** Throws VALIDATION_FAILED for an amount that the currency cannot be refunded in. */
function checkSteps(amountPence: number | null, currency: string): void {
  if (amountPence === null || isWholeSteps(amountPence, currency)) return;
  const { step } = rulesOfCurrency(currency);
  throw new Problem('VALIDATION_FAILED', { message: `amount_pence: must be a multiple of ${step}, because the currency is ${currency}.` });
}

/** The attempt that a request names, and its refund if it was made before. */
async function attemptOf(
  tx: Transaction,
  { name, isOwnId }: AttemptName,
  paymentOrderId: string,
  targetId: string,
): Promise<{ readonly attempt: string; readonly existing: RefundRow | null }> {
  for (let nth = 1; ; nth += 1) {
    const attempt = attemptKey(nthAttempt(name, nth), targetId, paymentOrderId);
    const existing = await findAttempt(tx, paymentOrderId, attempt);
    if (!existing || isOwnId || !hasEndedInVain(existing)) return { attempt, existing };
  }
}
