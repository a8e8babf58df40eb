import type { Database, Transaction } from '@corner/chassis';
import { isUnpaid } from '../order/rules/status.ts';
import { retakeHolds } from '../order/tables/holds.ts';
import { appendLog } from '../order/tables/log.ts';
import { familyIds, lockFamily, type OrderFamily } from '../order/tables/orders.ts';
import { acceptPayment, type Charge, findPayableOrder, type PayableOrder, type ReportedCharge, repeatAfterRace } from '../payment/index.ts';
import { type RefundRow, reserveOwedRefund } from '../refunds/index.ts';
import { writeLatePayment } from './tables.ts';

export interface ConfirmedPayment extends ReportedCharge {
  /** Whether the voucher of an order that was read as expired can no longer be reserved; null when it was not read as expired. */
  readonly voucherIsGone: boolean | null;
}

export interface PaidOrder {
  readonly order: PayableOrder;
  readonly refund: RefundRow | null;
  readonly paidNow: boolean;
}

/**
 * Marks an order and its legs paid, once, for the confirm request, the webhook and the reconciling job alike: in one statement if it is
 * unchanged since it was read, else under its lock. Null when the store has no such order; `expired` when an order with a voucher expired
 * after it was read: nothing is written, and its voucher is to be reserved again first.
 */
export const markPaid = (
  database: Database,
  found: PayableOrder,
  payment: ConfirmedPayment,
  now: Date,
): Promise<PaidOrder | 'expired' | null> =>
  repeatAfterRace(async (isRepeated) => {
    const order = isRepeated ? await findPayableOrder(database, payment) : found;
    if (!order) return null;
    if (order.payment_status === 'paid') return { order, refund: null, paidNow: false };
    if (!isUnpaid(order)) return await database.transaction((tx) => markEndedPaid(tx, payment));
    const paid = await database.publishing((queries) => acceptPayment(queries, order, payment, now));
    return { order: paid, refund: null, paidNow: true };
  });

/**
 * Marks an ended order paid. An expired one takes its holds again. When they are no longer available, or the order was cancelled, its
 * payment is reserved for refund.
 */
async function markEndedPaid(tx: Transaction, payment: ConfirmedPayment): Promise<PaidOrder | 'expired' | null> {
  const family = await lockFamily(tx, payment.storeId, payment.orderId);
  const order = family && (await findPayableOrder(tx, payment));
  if (!order) return null;
  if (order.payment_status === 'paid') return { order, refund: null, paidNow: false };
  if (order.payment_status === 'expired' && order.voucher_id !== null && payment.voucherIsGone === null) return 'expired';
  const isOver = order.payment_status === 'cancelled' || payment.voucherIsGone || !(await takeAgain(tx, family));
  if (isOver) return await refundLatePayment(tx, order, payment);
  return { order: await acceptPayment(tx, order, payment, tx.now), refund: null, paidNow: true };
}

const takeAgain = async (tx: Transaction, family: OrderFamily): Promise<boolean> =>
  (await retakeHolds(tx, { storeId: family.main.store_id, orderIds: familyIds(family), as: 'committed', customerId: null })).length === 0;

async function refundLatePayment(tx: Transaction, found: PayableOrder, { intentId, amountPence }: Charge): Promise<PaidOrder> {
  const { id: orderId, store_id: storeId, legs, seller_version } = found;
  await writeLatePayment(tx, { storeId, orderId, intentId, amountPence }, [orderId, ...legs.map(({ id }) => id)], seller_version);
  await appendLog(tx, {
    storeId,
    orderId,
    kind: 'paid',
    title: 'Payment was received after the order had ended',
    detail:
      found.payment_status === 'cancelled'
        ? 'It stays cancelled, so the whole sum is refunded.'
        : 'Not everything in it was still available, so the whole sum is refunded.',
    amountPence,
  });
  const reason = 'The payment came after the order had ended.';
  const refund = await reserveOwedRefund(tx, { storeId, orderId, owed: 'tooLate', amountPence, reason });
  const order = { ...found, payment_status: 'paid', business_status: 'cancelled', fulfilment_status: 'cancelled' } as const;
  return { order: { ...order, version: found.version + 1 }, refund, paidNow: false };
}
