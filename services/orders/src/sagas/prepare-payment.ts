import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Intent } from '../adapters/provider-shapes.ts';
import { Declined } from '../adapters/stripe-client.ts';
import type { Context } from '../context.ts';
import type { Placed } from '../tables/checkout-data.ts';
import { recordIntent } from '../tables/order-payments.ts';
import { endUnpaidOrder } from '../transactions/end-unpaid-order.ts';

/**
 * Ensures a payable order has a payment intent, and returns the order with it. Idempotent: the provider's key is derived from the order
 * id. Throws PAYMENT_PROVIDER_ERROR.
 */
export async function preparePayment(order: Placed, context: Context): Promise<Placed> {
  if (order.payment_intent_id || order.total_pence === 0 || order.payment_status !== 'pending_payment') return order;
  const { intent, providerId } = await createIntent(order, context);
  crashPoint('orders.create.after-intent');
  await recordIntent(context.database, order.id, intent.id, { customerId: order.customer_id, providerId });
  crashPoint('orders.create.before-response');
  return { ...order, payment_intent_id: intent.id, payment_customer: providerId };
}

async function createIntent(
  order: Placed,
  { database, payments }: Context,
): Promise<{ readonly intent: Intent; readonly providerId: string }> {
  const providerId = order.payment_customer ?? (await payments.customer(order.customer_id));
  try {
    const intent = await payments.createIntent({
      orderId: order.id,
      storeId: order.store_id,
      amountPence: order.total_pence,
      currency: order.currency,
      customer: providerId,
      destination: order.connected_account_id,
      feePence: order.application_fee_pence,
      onBehalfOf: order.on_behalf_of,
    });
    return { intent, providerId };
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    // A retry would be declined too, so the order is cancelled and its holds are released.
    await database.transaction((tx) =>
      endUnpaidOrder(tx, {
        storeId: order.store_id,
        orderId: order.id,
        as: 'cancelled',
        title: 'The payment provider declined to create a payment for the order',
      }),
    );
    throw new Problem('PAYMENT_PROVIDER_ERROR', { cause: error });
  }
}
