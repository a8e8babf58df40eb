import type { Context } from '../../context.ts';
import { isUnpaid } from '../../order/rules/order-status.ts';
import { findPaymentCustomer } from '../../order/tables/order-payments.ts';
import { findMainOrder, type OrderRow } from '../../order/tables/orders.ts';
import type { Intent } from '../../provider/adapters.ts';
import { lookLater, type ProviderCall } from '../../provider/tables.ts';
import { findRefund, settleRefunds } from '../../refunds/index.ts';
import { settlePayment } from './settle-payment.ts';

/** After this time nothing appears at the provider any more: it has forgotten the key. */
const lastLookMs = 25 * 3_600_000;

/**
 * Looks for what the provider may have created although its response was an error or lost: an intent that is not its order's is
 * cancelled, a payment of an order that has ended is settled, and a refund is entered. Repeated at growing intervals for a day.
 */
export async function lookForUnanswered(context: Context, call: ProviderCall): Promise<void> {
  if (call.purpose === 'intent') await settleIntents(context, call);
  if (call.purpose === 'refund') await settleRefundsOf(context, call.reference);
  const now = context.now();
  const ageMs = now.getTime() - Date.parse(call.created_at);
  await lookLater(context.database, call, ageMs > lastLookMs ? null : new Date(now.getTime() + Math.max(ageMs, 60_000)));
}

async function settleIntents(context: Context, { reference, created_at }: ProviderCall): Promise<void> {
  const order = await findMainOrder(context.database, reference);
  if (!order) return;
  const customer =
    (await findPaymentCustomer(context.database, order.customer_id)) ??
    (await context.payments.findCustomer(order.customer_id, new Date(created_at)))?.id;
  if (!customer) return;
  for (const intent of await context.payments.intentsOf(customer, order.id)) await settleIntent(context, order, intent);
}

async function settleIntent(context: Context, order: OrderRow, intent: Intent): Promise<void> {
  if (intent.id === order.payment_intent_id) {
    await settlePayment(context, order, intent);
    return;
  }
  // Of an order that can still be paid and has no intent, a repeat of the request takes this one.
  if (!order.payment_intent_id && isUnpaid(order)) return;
  const { status } = await context.payments.cancelIntent(intent.id);
  context.log.warn({ order_id: order.id, status }, 'an intent that is not its order’s was found at the provider and cancelled');
}

/** A refund borne by the platform has its id with a suffix as its reference. */
async function settleRefundsOf(context: Context, reference: string): Promise<void> {
  const refund = await findRefund(context.database, reference.split(':')[0] ?? reference);
  const order = refund && (await findMainOrder(context.database, refund.payment_order_id));
  if (order?.payment_intent_id) await settleRefunds(context, order, order.payment_intent_id);
}
