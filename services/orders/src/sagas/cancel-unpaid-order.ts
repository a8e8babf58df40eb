import { Problem } from '@corner/contracts';
import { Declined } from '../adapters/stripe-client.ts';
import type { Context } from '../context.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';
import { endUnpaidOrder } from '../transactions/end-unpaid-order.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Cancels an unpaid order: first its payment intent, then the order with its holds. Returns the order, or null when its intent had
 * succeeded: then the order is paid now and not cancelled. Throws ORDER_NOT_PAID for a leg and while the payment is being processed,
 * PAYMENT_PROVIDER_ERROR when the provider does not return the state of the intent.
 */
export async function cancelUnpaidOrder(
  context: Context,
  order: OrderRow,
  { actor, note }: { readonly actor: string | null; readonly note: string | null },
): Promise<OrderRow | null> {
  if (order.parent_order_id) {
    throw new Problem('ORDER_NOT_PAID', {
      message: 'A part of an order can be cancelled by itself once the order is paid; cancel the whole order.',
    });
  }
  const { database, payments } = context;
  const { id: orderId, store_id: storeId } = order;
  const intent = order.payment_intent_id ? await payments.cancelIntent(order.payment_intent_id).catch(rethrowAsProviderError) : null;
  if (intent?.status === 'succeeded') {
    await settlePayment(context, order, intent);
    return null;
  }
  if (intent && intent.status !== 'canceled') {
    throw new Problem('ORDER_NOT_PAID', {
      message: 'The payment is being processed; cancel the order when it has been paid or has failed.',
    });
  }
  const title = 'The order was cancelled before it was paid';
  await database.transaction((tx) => endUnpaidOrder(tx, { storeId, orderId, as: 'cancelled', title, actor, reason: note }));
  return (await findOrder(database, storeId, orderId)) ?? order;
}

/** An intent that the provider neither cancels nor returns may still be paid. */
function rethrowAsProviderError(error: unknown): never {
  throw error instanceof Declined ? new Problem('PAYMENT_PROVIDER_ERROR', { cause: error }) : error;
}
