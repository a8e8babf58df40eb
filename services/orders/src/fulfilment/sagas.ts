import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { applyIntent, type ConfirmationContext, checkPayment } from '../confirmation/index.ts';
import { cancelsPayment, orderNotPaid } from '../order/rules/status.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { endUnpaidOrder, findPayableOrder } from '../payment/index.ts';
import type { Intent } from '../provider/adapters.ts';
import { isOfOtherMode, rethrowAsProviderError } from '../provider/rules.ts';
import { type RefundRow, refundAtProvider } from '../refunds/index.ts';
import { abandonCancel, beginCancel } from './tables.ts';
import {
  type CancelledByStaff,
  cancelAndRefundByStaff,
  cancelOwnOrder,
  cancelWithRefund,
  type OwnOrder,
} from './transactions/cancel-order.ts';
import type { MoveReason } from './transactions/move-order.ts';

/**
 * Cancels an unpaid order and returns it: first its payment intent, then the order with its holds. When the payment succeeded meanwhile,
 * the order is still cancelled, and the whole payment is refunded. The start is stored first, so a repeat after a crash continues, even
 * when the order was paid meanwhile. Throws ORDER_NOT_PAID for a leg and while the payment is processed, INVALID_TRANSITION when the order
 * was paid and handed over, PAYMENT_PROVIDER_ERROR when the provider does not return the state of the intent.
 */
export async function cancelUnpaidOrder(context: ConfirmationContext, order: OrderRow, by: MoveReason): Promise<OrderRow> {
  if (order.parent_order_id) {
    throw orderNotPaid(order, 'A part of an order can be cancelled by itself once the order is paid; cancel the whole order.');
  }
  const { database, payments } = context;
  const { id: orderId, store_id: storeId } = order;
  await beginCancel(database, orderId, context.now());
  crashPoint('orders.cancel.after-begin');
  const intentId = isOfOtherMode(order.payment_mode, context.mode) ? null : order.payment_intent_id;
  const intent = intentId ? await payments.cancelIntent(intentId).catch(rethrowAsProviderError) : null;
  if (intent?.status === 'succeeded') checkPayment(context, order, intent);
  else if (intent && intent.status !== 'canceled') {
    await abandonCancel(database, orderId);
    throw orderNotPaid(order, 'The payment is being processed; cancel the order when it has been paid or has failed.');
  }
  const isByCustomer = by.canceller === 'customer';
  const title = isByCustomer ? 'The customer cancelled the order before it was paid' : 'The order was cancelled before it was paid';
  const end = { as: 'cancelled', title, by: by.canceller, actor: by.actor, actorId: by.actorId, reason: by.note } as const;
  await database.transaction((tx) => endUnpaidOrder(tx, { storeId, orderId, ...end }));
  crashPoint('orders.cancel.after-end');
  if (intent?.status === 'succeeded') await refundPayment(context, order, intent, by);
  return (await findOrder(database, storeId, orderId)) ?? order;
}

/**
 * Cancels a customer's own order: an unpaid one with its payment intent; a paid one that the store has not begun to prepare with its
 * refund, in one transaction. The refund stays pending while the provider does not respond. Throws ORDER_NOT_FOUND, TOO_LATE_TO_CANCEL,
 * and the problems of {@link cancelUnpaidOrder}.
 */
export async function cancelAsCustomer(context: ConfirmationContext, own: OwnOrder): Promise<void> {
  const { storeId, orderId, customer } = own;
  const found = await findOrder(context.database, storeId, orderId);
  if (found?.customer_id !== customer.id) throw new Problem('ORDER_NOT_FOUND');
  // Its money is in the till or with the partner, who must return it.
  if (found.channel !== 'phone')
    throw new Problem('TOO_LATE_TO_CANCEL', { message: 'It was sold at the counter: ask the store to cancel it.' });
  if (cancelsPayment(found, context.now())) {
    await cancelUnpaidOrder(context, found, { canceller: 'customer', actor: customer.name, actorId: customer.id, note: null });
    return;
  }
  const refund = await context.database.transaction((tx) => cancelOwnOrder(tx, own));
  crashPoint('orders.cancel.after-reserve');
  if (refund) await refundAtProvider(context, refund);
}

/**
 * Cancels a paid order for staff and refunds it. While the provider declines or does not respond, the refund stays pending and a job
 * repeats it. Throws the problems of {@link cancelAndRefundByStaff}.
 */
export async function cancelAsStaff(
  context: ConfirmationContext,
  cancellation: CancelledByStaff,
): Promise<{ readonly order: OrderRow; readonly refund: RefundRow | null }> {
  const { order, refund } = await context.database.transaction((tx) => cancelAndRefundByStaff(tx, cancellation));
  crashPoint('orders.cancel.after-reserve');
  const isUnsent = refund?.status === 'pending' && refund.provider_refund_id === null;
  return { order, refund: isUnsent ? await refundAtProvider(context, refund) : refund };
}

/** Applies a payment made while its order was being cancelled, and refunds it. Each step is done once. */
async function refundPayment(context: ConfirmationContext, order: OrderRow, intent: Intent, by: MoveReason): Promise<void> {
  const { id: orderId, store_id: storeId } = order;
  const payable = await findPayableOrder(context.database, { storeId, orderId });
  if (payable) await applyIntent(context, payable, intent);
  // A confirm or a webhook may have marked it paid before it was cancelled.
  const refund = await context.database.transaction((tx) => cancelWithRefund(tx, { storeId, orderId, by }));
  crashPoint('orders.cancel.after-reserve');
  if (refund) await refundAtProvider(context, refund);
}
