import { isUnpaid } from '../order/rules/status.ts';
import { endUnpaidOrder, findPayableOrder, type PayableOrder, reserveAgain, voucherOf } from '../payment/index.ts';
import { isOfOtherMode } from '../provider/rules.ts';
import { findCallsToLookAt } from '../provider/tables.ts';
import { findOpenRefunds, type RefundRow, recordRefundOutcome, refundAtProvider } from '../refunds/index.ts';
import type { ConfirmationContext } from './context.ts';
import { applyIntent, lookForUnanswered } from './sagas.ts';
import { findOrdersAwaitingPayment, findOverdueOrders } from './tables.ts';

/**
 * Ends the unpaid orders whose time to pay is over. The intent is cancelled first; the holds are released only when it can no longer
 * succeed. An order whose intent has succeeded meanwhile is paid; one whose intent is processing is tried again at the next run.
 */
export async function expireUnpaidOrders(context: ConfirmationContext): Promise<void> {
  for (const { id, store_id } of await findOverdueOrders(context.database, context.now())) {
    try {
      const order = await findPayableOrder(context.database, { storeId: store_id, orderId: id });
      if (!order || !isUnpaid(order)) continue;
      // An intent of the other mode cannot be read with this key, and no customer can pay it any more.
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

const expire = ({ database }: ConfirmationContext, { id: orderId, store_id: storeId }: PayableOrder) =>
  database.transaction((tx) =>
    endUnpaidOrder(tx, { storeId, orderId, as: 'expired', title: 'The order expired because it was not paid in time' }),
  );

/** While a bank processes the payment, the voucher's reservation is extended: it would lapse before the order does. */
async function keepVoucher(context: ConfirmationContext, order: PayableOrder): Promise<void> {
  const voucher = voucherOf(order);
  if (voucher) await reserveAgain(voucher, context);
}

/** Seconds to wait for the confirm request or the webhook before the provider is asked. */
const graceSeconds = 20;

export async function reconcilePayments(context: ConfirmationContext): Promise<void> {
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

/** Records the outcome of a refund that has a provider id. Any other refund may never have reached the provider, and is requested again. */
async function reconcileRefund(context: ConfirmationContext, refund: RefundRow): Promise<void> {
  const { provider_refund_id: id } = refund;
  if (!id) {
    await refundAtProvider(context, refund);
    return;
  }
  const outcome = await context.refunds.refundById(id);
  if (!outcome) throw new Error(`the provider no longer knows refund ${id}`);
  await context.database.transaction((tx) => recordRefundOutcome(tx, refund, outcome));
}

async function tryToReconcile(
  { log }: ConfirmationContext,
  subject: Readonly<Record<string, string>>,
  reconcile: () => Promise<void>,
): Promise<void> {
  try {
    await reconcile();
  } catch (error) {
    log.warn({ err: error, ...subject }, 'a payment could not be reconciled yet');
  }
}
