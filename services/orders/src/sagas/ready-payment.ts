import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { Declined } from '../adapters/payments.ts';
import type { Context } from '../context.ts';
import { endUnpaid } from '../tables/end-unpaid.ts';
import type { Placed } from '../tables/ground.ts';
import { recordIntent } from '../tables/place-order.ts';

/** Sees to it that an order that is to be paid has an intent, by the provider's key for it always the same one. */
export async function readyPayment(order: Placed, context: Context): Promise<Placed> {
  const { database, payments } = context;
  if (order.payment_intent_id || order.total_pence === 0 || order.payment_status !== 'pending_payment') return order;
  const customer = order.payment_customer ?? (await payments.customer(order.customer_id));
  const intent = await asking(order, context, () =>
    payments.createIntent({
      orderId: order.id,
      storeId: order.store_id,
      amountPence: order.total_pence,
      currency: order.currency,
      customer,
      destination: order.connected_account_id,
      feePence: order.application_fee_pence,
      onBehalfOf: order.on_behalf_of,
    }),
  );
  crashPoint('orders.create.after-intent');
  await recordIntent(database, order.id, intent.id, order.customer_id, customer);
  crashPoint('orders.create.before-answer');
  return { ...order, payment_intent_id: intent.id, payment_customer: customer };
}

/** A definite no of the provider's ends the order, and what it held is free: no repeat would be answered otherwise. */
async function asking<T>({ id, store_id }: Placed, { database, now }: Context, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    await database.transaction((tx) =>
      endUnpaid(tx, store_id, id, { as: 'cancelled', at: now(), title: 'The payment provider would not take a payment for the order' }),
    );
    throw new Problem('PAYMENT_PROVIDER_ERROR', { cause: error });
  }
}
