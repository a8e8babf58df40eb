import type { Context } from '../context.ts';
import { isUnpaid } from '../order/rules/status.ts';
import { endUnpaidOrder, findPayableOrder, type PayableOrder, reserveAgain, voucherOf } from '../payment/index.ts';
import { isOfOtherMode } from '../provider/rules.ts';
import { findCallsToLookAt } from '../provider/tables.ts';
import { findOpenRefunds, type RefundRow, recordRefundOutcome, refundAtProvider } from '../refunds/index.ts';
import { applyIntent, lookForUnanswered } from './sagas.ts';
import { findOrdersAwaitingPayment, findOverdueOrders } from './tables.ts';

/**
 * Ends the unpaid orders whose time to pay is over. The intent is cancelled first; the holds are released only when it can no longer
 * succeed. An order whose intent has succeeded meanwhile is paid; one whose intent is processing is tried again at the next run.
 */
export async function expireUnpaidOrders(context: Context): Promise<void> {
  for (const { id, store_id } of await findOverdueOrders(context.database, context.now())) {
    try {
      const order = await findPayableOrder(context.database, { storeId: store_id, orderId: id });
      // It may have ended or been paid since the list was read.
      if (!order || !isUnpaid(order)) continue;
      // An intent of the other mode cannot be asked for: nothing of this deployment lets a customer pay it any more.
      const intentId = isOfOtherMode(order.payment_mode, context.mode) ? null : order.payment_intent_id;
      const intent = intentId ? await context.payments.cancelIntent(intentId) : null;
      if (intent?.status === 'succeeded') await applyIntent(context, order, intent);
      else if (!intent || intent.status === 'canceled') await expire(context, order);
      else await keepVoucher(context, order);
    } catch (error) {
      context.log.warn({ err: error, order_id: id }, 'an unpaid order could not be ended yet');
    }
  }
}

const expire = ({ database }: Context, { id: orderId, store_id: storeId }: PayableOrder) =>
  database.transaction((tx) =>
    endUnpaidOrder(tx, { storeId, orderId, as: 'expired', title: 'The order expired because it was not paid in time' }),
  );

/** While a bank processes the payment, the voucher's reservation is extended: it would lapse before the order does. */
async function keepVoucher(context: Context, order: PayableOrder): Promise<void> {
  const voucher = voucherOf(order);
  if (voucher) await reserveAgain(voucher, context);
}

/** Seconds to wait for the confirm request or the webhook before the provider is asked. */
const graceSeconds = 20;

/** Asks the provider about open payments and refunds: a webhook may never arrive, and a process may stop between two steps. */
export async function reconcilePayments(context: Context): Promise<void> {
  const createdBefore = new Date(context.now().getTime() - graceSeconds * 1000);
  for (const { id, store_id } of await findOrdersAwaitingPayment(context.database, createdBefore, context.mode)) {
    await tryToReconcile(context, { order_id: id }, async () => {
      const order = await findPayableOrder(context.database, { storeId: store_id, orderId: id });
      const intent = order?.payment_intent_id ? await context.payments.intent(order.payment_intent_id) : null;
      if (order && intent) await applyIntent(context, order, intent);
    });
  }
  for (const refund of await findOpenRefunds(context.database, createdBefore, context.mode)) {
    await tryToReconcile(context, { order_id: refund.payment_order_id }, () => reconcileRefund(context, refund));
  }
  for (const call of await findCallsToLookAt(context.database, context.now())) {
    await tryToReconcile(context, { purpose: call.purpose, reference: call.reference }, () => lookForUnanswered(context, call));
  }
}

/** Records the outcome of a refund that the provider has made. Any other may never have reached it, and is requested again. */
async function reconcileRefund(context: Context, refund: RefundRow): Promise<void> {
  const { provider_refund_id: id } = refund;
  if (!id) {
    await refundAtProvider(context, refund);
    return;
  }
  const outcome = await context.refunds.refundById(id);
  if (!outcome) throw new Error(`the provider no longer knows refund ${id}`);
  await context.database.transaction((tx) => recordRefundOutcome(tx, refund, outcome));
}

async function tryToReconcile({ log }: Context, subject: Readonly<Record<string, string>>, reconcile: () => Promise<void>): Promise<void> {
  try {
    await reconcile();
  } catch (error) {
    log.warn({ err: error, ...subject }, 'a payment could not be reconciled yet');
  }
}
