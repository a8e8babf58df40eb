import type { Context } from '../../context.ts';
import { customerKey, intentKey } from '../../provider/rules.ts';
import { customerReference, firstCall } from '../../provider/tables.ts';
import type { Placement } from '../rules/placement.ts';
import { type CheckoutData, findOrderToPrepare, type OrderToPrepare } from '../tables/checkout-data.ts';
import { placeWithinLimits } from './place-within-limits.ts';

/**
 * Places an order, once for each of a customer's keys. When another request with the same key was faster, this one has changed nothing
 * and returns that request's order; it may have failed at the key itself, or at a hold the faster request took.
 */
export async function placeOnce(placement: Placement, data: CheckoutData, context: Context): Promise<OrderToPrepare> {
  let failure: unknown = new Error('an order exists for the key, but cannot be found');
  try {
    const placed = await place(placement, data, context);
    if (placed) return placed;
  } catch (error) {
    failure = error;
  }
  const existing = await findOrderToPrepare(context.database, placement.customerId, placement.key, context.mode);
  if (!existing) throw failure;
  return existing;
}

async function place(placement: Placement, data: CheckoutData, context: Context): Promise<OrderToPrepare | null> {
  const { name: store_name = '', delayed_payment_methods = false } = data.store ?? {};
  const known = { store_name, delayed_payment_methods, payment_customer: data.payment_customer, key_call: null };
  if (placement.main.price.totalPence === 0) {
    const free = await placeWithinLimits(context, placement, []);
    return free && { ...free, ...known, customer_call: null, intent_call: null };
  }
  const calls = callsOf(placement, data);
  const placed = await placeWithinLimits(context, placement, [calls.intent, ...(calls.customer ? [calls.customer] : [])]);
  return placed && { ...placed, ...known, customer_call: calls.customer, intent_call: calls.intent };
}

/** Returns the first attempts to create the order's intent, and its customer unless the provider has it. They are stored with the order. */
function callsOf({ main, customerId, placedAt, paymentMode }: Placement, { payment_customer, customer_call }: CheckoutData) {
  const intent = firstCall({ purpose: 'intent', reference: main.id }, intentKey(main.id), placedAt);
  const reference = customerReference(customerId, paymentMode);
  const first = () => firstCall({ purpose: 'customer', reference }, customerKey(reference), placedAt);
  return { intent, customer: payment_customer ? null : (customer_call ?? first()) };
}
