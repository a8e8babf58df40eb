import type { Context } from '../context.ts';
import { lookForUnanswered } from '../sagas/look-for-unanswered.ts';
import { refundAtProvider } from '../sagas/refund-at-provider.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { findOrdersAwaitingPayment } from '../tables/order-payments.ts';
import { findOrder } from '../tables/orders.ts';
import { findCallsToLookAt } from '../tables/provider-calls.ts';
import { findOpenRefunds, type RefundRow } from '../tables/refunds.ts';
import { settleRefund } from '../transactions/settle-refund.ts';

/** Seconds to wait for the confirm request or the webhook before the provider is asked. */
const graceSeconds = 20;

/** Asks the provider about open payments and refunds: a webhook may never arrive, and a process may stop between two steps. */
export async function reconcilePayments(context: Context): Promise<void> {
  const createdBefore = new Date(context.now().getTime() - graceSeconds * 1000);
  for (const { id, store_id } of await findOrdersAwaitingPayment(context.database, createdBefore)) {
    await tryToReconcile(context, id, async () => {
      const order = await findOrder(context.database, store_id, id);
      const intent = order?.payment_intent_id ? await context.payments.intent(order.payment_intent_id) : null;
      if (order && intent) await settlePayment(context, order, intent);
    });
  }
  for (const refund of await findOpenRefunds(context.database, createdBefore)) {
    await tryToReconcile(context, refund.payment_order_id, () => reconcileRefund(context, refund));
  }
  for (const call of await findCallsToLookAt(context.database, context.now())) {
    await tryToReconcile(context, call.reference, () => lookForUnanswered(context, call));
  }
}

/** Settles a refund that the provider has made. Any other may never have reached it, and is requested again. */
async function reconcileRefund(context: Context, refund: RefundRow): Promise<void> {
  const { provider_refund_id: id } = refund;
  if (!id) {
    await refundAtProvider(context, refund);
    return;
  }
  const outcome = await context.payments.refundById(id);
  if (!outcome) throw new Error(`the provider no longer knows refund ${id}`);
  await context.database.transaction((tx) => settleRefund(tx, refund, outcome));
}

async function tryToReconcile({ log }: Context, orderId: string, reconcile: () => Promise<void>): Promise<void> {
  try {
    await reconcile();
  } catch (error) {
    log.warn({ err: error, order_id: orderId }, 'a payment could not be reconciled yet');
  }
}
