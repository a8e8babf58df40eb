import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderNotPaid } from '../order/rules/order-status.ts';
import { abandonCancel, beginCancel } from '../order/tables/order-payments.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { checkPayment, endUnpaidOrder, settlePayment } from '../payment/index.ts';
import { Declined, type Intent } from '../provider/adapters.ts';
import { refundAtProvider } from '../refunds/index.ts';
import { cancelWithRefund } from './transactions/cancel-with-refund.ts';
import type { MoveReason } from './transactions/move-order.ts';

/**
 * Cancels an unpaid order: first its payment intent, then the order with its holds. When the payment succeeded meanwhile, the order is
 * cancelled all the same, and the whole payment is refunded. That it began is stored first, so a repeat after a crash does the same even
 * when the order has been paid. Returns the order. Throws ORDER_NOT_PAID for a leg and while the payment is
 * being processed, INVALID_TRANSITION when the order was paid and handed over meanwhile, PAYMENT_PROVIDER_ERROR when the provider does
 * not return the state of the intent.
 */
export async function cancelUnpaidOrder(context: Context, order: OrderRow, by: MoveReason): Promise<OrderRow> {
  if (order.parent_order_id) {
    throw orderNotPaid(order, 'A part of an order can be cancelled by itself once the order is paid; cancel the whole order.');
  }
  const { database, payments } = context;
  const { id: orderId, store_id: storeId } = order;
  await beginCancel(database, orderId, context.now());
  crashPoint('orders.cancel.after-begin');
  const intent = order.payment_intent_id ? await payments.cancelIntent(order.payment_intent_id).catch(rethrowAsProviderError) : null;
  if (intent?.status === 'succeeded') checkPayment(context, order, intent);
  else if (intent && intent.status !== 'canceled') {
    await abandonCancel(database, orderId);
    throw orderNotPaid(order, 'The payment is being processed; cancel the order when it has been paid or has failed.');
  }
  const title = 'The order was cancelled before it was paid';
  await database.transaction((tx) => endUnpaidOrder(tx, { storeId, orderId, as: 'cancelled', title, actor: by.actor, reason: by.note }));
  crashPoint('orders.cancel.after-end');
  if (intent?.status === 'succeeded') await refundPayment(context, order, intent, by);
  return (await findOrder(database, storeId, orderId)) ?? order;
}

/** Settles a payment that came while its order was being cancelled, and refunds it. Each step is done once. */
async function refundPayment(context: Context, order: OrderRow, intent: Intent, by: MoveReason): Promise<void> {
  const { id: orderId, store_id: storeId } = order;
  await settlePayment(context, (await findOrder(context.database, storeId, orderId)) ?? order, intent);
  // A confirm or a webhook may have marked it paid before it was cancelled.
  const refund = await context.database.transaction((tx) => cancelWithRefund(tx, { storeId, orderId, by }));
  crashPoint('orders.cancel.after-reserve');
  if (refund) await refundAtProvider(context, refund);
}

/** An intent that the provider neither cancels nor returns may still be paid. */
function rethrowAsProviderError(error: unknown): never {
  throw error instanceof Declined ? new Problem('PAYMENT_PROVIDER_ERROR', { cause: error }) : error;
}
