import type { Context } from '../../context.ts';
import { customerKey, intentKey } from '../../provider/rules.ts';
import { firstCall } from '../../provider/tables.ts';
import type { Placement } from '../rules/placement.ts';
import { type CheckoutData, findPlaced, type Placed } from '../tables/checkout-data.ts';
import type { FreePart } from '../tables/place-order.ts';
import { placeFreeOrder, placeOrder } from '../transactions/place-order.ts';

/**
 * Places an order, once for each of a customer's keys. When another request with the same key was faster, this one has changed nothing
 * and returns that request's order; it may have failed at the key itself, or at a hold the faster request took.
 */
export async function placeOnce(placement: Placement, data: CheckoutData, context: Context): Promise<Placed> {
  const findExisting = () => findPlaced(context.database, placement.customerId, placement.key);
  try {
    const placed = await place(placement, data, context);
    if (placed) return placed;
  } catch (error) {
    const existing = await findExisting();
    if (!existing) throw error;
    return existing;
  }
  const existing = await findExisting();
  if (!existing) throw new Error('an order exists for the key, but cannot be found');
  return existing;
}

async function place(placement: Placement, data: CheckoutData, { database }: Context): Promise<Placed | null> {
  if (placement.main.price.totalPence > 0) {
    const calls = callsOf(placement, data);
    const orderNumber = await placeOrder(database, placement, [calls.intent, ...(calls.customer ? [calls.customer] : [])]);
    return orderNumber === null
      ? null
      : { ...placedOrder(placement, orderNumber, data), intent_call: calls.intent, customer_call: calls.customer };
  }
  const parts = await placeFreeOrder(database, placement);
  return parts && freeOrder(placement, parts, data);
}

/** The free order just placed, with its legs. */
function freeOrder(placement: Placement, [main, ...legs]: readonly [FreePart, ...FreePart[]], data: CheckoutData): Placed {
  return {
    ...placedOrder(placement, main.order_number, data),
    payment_status: 'paid',
    business_status: 'placed',
    collection_code: main.collection_code,
    legs: placement.legs.map((leg, n) => ({
      id: leg.id,
      order_type: leg.orderType,
      prep_minutes: leg.prepMinutes,
      total_pence: leg.price.totalPence,
      ...(legs[n] as FreePart),
    })),
  };
}

/** The attempts to create its intent, and the customer unless the provider has it. They are stored with the order. */
function callsOf({ main, customerId, placedAt }: Placement, { payment_customer, customer_call }: CheckoutData) {
  const intent = firstCall({ purpose: 'intent', reference: main.id }, intentKey(main.id), placedAt);
  if (payment_customer) return { intent, customer: null };
  return {
    intent,
    customer: customer_call ?? firstCall({ purpose: 'customer', reference: customerId }, customerKey(customerId), placedAt),
  };
}

/** The order just placed, without another statement to read it. */
const placedOrder = (placement: Placement, orderNumber: string, { store, payment_customer }: CheckoutData): Placed => ({
  id: placement.main.id,
  store_id: placement.storeId,
  customer_id: placement.customerId,
  order_number: orderNumber,
  fingerprint: placement.fingerprint,
  payment_status: 'pending_payment',
  business_status: null,
  currency: placement.currency,
  total_pence: placement.main.price.totalPence,
  refunded_pence: 0,
  fully_refunded: false,
  application_fee_pence: placement.main.price.feePence,
  connected_account_id: placement.connectedAccountId,
  on_behalf_of: placement.onBehalfOf,
  payment_intent_id: null,
  voucher_id: placement.voucherId,
  collection_code: null,
  created_at: placement.placedAt.toISOString(),
  store_name: store?.name ?? '',
  holds_released: false,
  payment_customer,
  customer_call: null,
  intent_call: null,
  key_call: null,
});
