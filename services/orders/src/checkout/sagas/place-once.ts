import { noTender, type RequestedTender, tendersFor } from '../../order/rules/tenders.ts';
import { customerKey, intentKey } from '../../provider/rules.ts';
import { customerReference, firstCall } from '../../provider/tables.ts';
import type { CheckoutContext } from '../context.ts';
import type { Placement } from '../rules/placement.ts';
import type { CheckoutData } from '../tables/checkout-data.ts';
import { findOrderToPrepare, type OrderToPrepare } from '../tables/placed-orders.ts';
import type { HandOver, PaidAtOnce } from '../transactions.ts';
import { placeWithinLimits } from './place-within-limits.ts';

export interface SalePayment {
  readonly tenders: readonly RequestedTender[];
  readonly handOver: HandOver | null;
}

/**
 * Places an order, once for each of a customer's keys. When another request with the same key was faster, this one has changed nothing
 * and returns that request's order; it may have failed at the key itself, or at a hold the faster request took.
 */
export async function placeOnce(
  placement: Placement,
  payment: SalePayment | null,
  data: CheckoutData,
  context: CheckoutContext,
): Promise<OrderToPrepare> {
  let failure: unknown = new Error('an order exists for the key, but cannot be found');
  try {
    const placed = await place(placement, payment, data, context);
    if (placed) return placed;
  } catch (error) {
    failure = error;
  }
  const { customerId, key, main } = placement;
  const existing = await findOrderToPrepare(context.database, { customerId, key, orderId: main.id }, context.mode);
  if (!existing) throw failure;
  return existing;
}

async function place(
  placement: Placement,
  payment: SalePayment | null,
  data: CheckoutData,
  context: CheckoutContext,
): Promise<OrderToPrepare | null> {
  const { name: store_name = '', delayed_payment_methods = false } = data.store ?? {};
  const known = { store_name, delayed_payment_methods, payment_customer: data.payment_customer, key_call: null };
  if (placement.channel !== 'phone' || placement.main.price.totalPence === 0) {
    const sold = await placeWithinLimits(context, placement, [], takenTenders(placement, payment));
    return sold && { ...sold, ...known, customer_call: null, intent_call: null };
  }
  const calls = callsOf(placement, data);
  const placed = await placeWithinLimits(context, placement, [calls.intent, ...(calls.customer ? [calls.customer] : [])]);
  return placed && { ...placed, ...known, customer_call: calls.customer, intent_call: calls.intent };
}

/** Returns how a sale is paid as it is placed; null for a phone's order, and for a sale that stays open. Throws TENDERS_MISMATCH. */
function takenTenders({ placedBy, main, currency }: Placement, payment: SalePayment | null): PaidAtOnce | null {
  const { totalPence } = main.price;
  if (!placedBy || (!payment && totalPence > 0)) return null;
  const tenders = payment ? tendersFor(totalPence, currency, payment.tenders) : [noTender];
  return { tenders, attempt: main.id, by: placedBy, handOver: payment?.handOver ?? null };
}

function callsOf({ main, customerId, placedAt, paymentMode }: Placement, { payment_customer, customer_call }: CheckoutData) {
  const intent = firstCall({ purpose: 'intent', reference: main.id }, intentKey(main.id), placedAt);
  const reference = customerReference(customerId, paymentMode);
  const first = () => firstCall({ purpose: 'customer', reference }, customerKey(reference), placedAt);
  return { intent, customer: payment_customer ? null : (customer_call ?? first()) };
}
