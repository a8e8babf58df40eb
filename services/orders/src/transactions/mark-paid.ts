import type { Database, Transaction } from '@corner/chassis';
import { isUnpaid } from '../rules/order-status.ts';
import { refundKey } from '../rules/provider-calls.ts';
import { owedAttempts } from '../rules/refunds.ts';
import { retakeHolds } from '../tables/holds.ts';
import { appendLog } from '../tables/log.ts';
import { familyIds, lockFamily, type OrderFamily } from '../tables/order-family.ts';
import { type Charge, writeLatePayment } from '../tables/order-payments.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';
import { insertRefund, type RefundRow } from '../tables/refunds.ts';
import { acceptPayment, type ReportedCharge } from './accept-payment.ts';
import { repeatAfterRace } from './repeat-after-race.ts';

export interface ConfirmedPayment extends ReportedCharge {
  /** Whether the order's voucher can no longer be reserved; only an order that had ended loses it. */
  readonly voucherIsGone: boolean;
}

export interface PaidOrder {
  readonly order: OrderRow;
  /** A reserved refund of the whole payment, when it came too late; else null. */
  readonly refund: RefundRow | null;
  /** Whether it was this call that accepted the payment, and processed its event. */
  readonly accepted: boolean;
}

/**
 * Marks an order paid with its legs, once, whether the confirm request, the webhook or the reconciling job comes first: in one statement
 * when it is still unpaid, else under its lock. Null when the store has no such order.
 */
export async function markPaid(database: Database, order: OrderRow, payment: ConfirmedPayment, now: Date): Promise<PaidOrder | null> {
  if (order.payment_status === 'paid') return { order, refund: null, accepted: false };
  return await repeatAfterRace(async () => {
    const paid = isUnpaid(order) ? await acceptPayment(database, order, { charge: payment, from: 'unpaid', at: now }) : null;
    if (paid) return { order: paid, refund: null, accepted: true };
    // Confirm request and webhook often come at once. When the other one has marked it, reading it is enough, without its lock.
    const current = isUnpaid(order) ? await findOrder(database, payment.storeId, payment.orderId) : null;
    if (current?.payment_status === 'paid') return { order: current, refund: null, accepted: false };
    return await database.transaction((tx) => markEndedPaid(tx, payment));
  });
}

/**
 * Marks an order paid that had ended. One that had expired takes its holds again; when they are no longer available, its payment is
 * reserved for refund. So is the payment of an order that was cancelled.
 */
async function markEndedPaid(tx: Transaction, payment: ConfirmedPayment): Promise<PaidOrder | null> {
  const family = await lockFamily(tx, payment.storeId, payment.orderId);
  if (!family) return null;
  const { main } = family;
  if (main.payment_status === 'paid') return { order: main, refund: null, accepted: false };
  const isOver = main.payment_status === 'cancelled' || payment.voucherIsGone || !(await takeAgain(tx, family));
  if (isOver) return await refundLatePayment(tx, family, payment);
  const order = await acceptPayment(tx, main, { charge: payment, from: 'expired', at: tx.now });
  return order && { order, refund: null, accepted: true };
}

const takeAgain = async (tx: Transaction, family: OrderFamily): Promise<boolean> =>
  (await retakeHolds(tx, { storeId: family.main.store_id, orderIds: familyIds(family), as: 'committed', customerId: null })).length === 0;

/** The order stays ended, and the whole payment is reserved for refund. */
async function refundLatePayment(tx: Transaction, family: OrderFamily, { intentId, amountPence }: Charge): Promise<PaidOrder> {
  const { main } = family;
  const { id: orderId, store_id: storeId } = main;
  await writeLatePayment(tx, { storeId, orderId, intentId, amountPence }, familyIds(family));
  const refund = {
    storeId,
    paymentOrderId: orderId,
    orderId,
    attempt: owedAttempts.tooLate,
    key: refundKey(orderId, owedAttempts.tooLate),
    amountPence,
    requestedPence: null,
    reason: 'The payment came after the order had ended.',
    byId: 'corner',
    byName: null,
    borneBy: 'store',
    toReversePence: 0,
  } as const;
  await appendLog(
    tx,
    {
      storeId,
      orderId,
      kind: 'paid',
      title: 'Payment was received after the order had ended',
      detail:
        main.payment_status === 'cancelled'
          ? 'It stays cancelled, so the whole sum is refunded.'
          : 'Not everything in it was still available, so the whole sum is refunded.',
      amountPence,
    },
    { storeId, orderId, kind: 'refund_requested', title: 'A refund was requested', detail: refund.reason, amountPence },
  );
  const order = { ...main, payment_status: 'paid', business_status: 'cancelled', fulfilment_status: 'cancelled' } as const;
  return { order: { ...order, version: main.version + 1 }, refund: await insertRefund(tx, refund), accepted: false };
}
