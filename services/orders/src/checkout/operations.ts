import { customerWasErased, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import { addressHash, deviceHash, requestHash } from '../order/crypto.ts';
import { childView } from '../order/rules/order-views.ts';
import { orderStatus } from '../order/rules/status.ts';
import { findLegs } from '../order/tables/orders.ts';
import { orderIdFor } from '../payment/index.ts';
import type { CheckoutContext } from './context.ts';
import { requestOf } from './rules/basket.ts';
import { placeBasket } from './sagas/place-basket.ts';
import { preparePayment } from './sagas/prepare-payment.ts';
import type { OrderToPrepare } from './tables/placed-orders.ts';

type Create = Operation<typeof orders.createOrder, CheckoutContext>;
type Body = Parameters<Create>[0]['body'];

/**
 * Places an order and prepares its payment: loyalty reserves the voucher, one statement takes the holds and writes the order, the
 * provider creates the intent, and the intent is stored. A repeat continues at the first step that is missing.
 */
export const createOrder: Create = async ({ caller, body, header, markReplayed }, context) => {
  const fingerprint = fingerprintOf(body);
  const { placed, isRepeat } = await placeBasket(
    {
      ...requestOf(body),
      channel: 'phone',
      storeCode: body.store_code,
      orderId: body.voucher_id ? orderIdFor(caller.id, body.idempotency_key) : null,
      customerId: caller.id,
      withoutCustomer: false,
      placedBy: null,
      key: body.idempotency_key,
      fingerprint,
      deviceHash: body.device_fingerprint ? deviceHash(context.deviceSecret, body.device_fingerprint) : null,
      addressHash: addressOf(header, context),
      holdMinutes: context.untriedHoldMinutes,
      payment: null,
    },
    context,
  );
  const reply = await preparePaymentAndReply(placed, fingerprint, context);
  if (isRepeat) markReplayed();
  return reply;
};

/**
 * Hashes the client address that the gateway adds: it replaces any sent by callers. Null for a call that did not come through the gateway.
 */
const addressOf = (header: Parameters<Create>[0]['header'], { deviceSecret }: CheckoutContext): string | null => {
  const address = header('x-forwarded-for');
  return address ? addressHash(deviceSecret, address) : null;
};

/**
 * Prepares the payment of a placed order, once, and returns the response. Throws IDEMPOTENCY_KEY_REUSED when another request placed it,
 * and UNAUTHENTICATED when its customer was erased.
 */
async function preparePaymentAndReply(placed: OrderToPrepare, fingerprint: string, context: CheckoutContext): ReturnType<Create> {
  if (placed.fingerprint === null) throw customerWasErased();
  if (placed.fingerprint !== fingerprint) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  const { order, sheet } = await preparePayment(placed, context);
  // An order that costs nothing is never confirmed, so its legs are returned here.
  const legs = order.total_pence > 0 ? [] : (order.legs ?? (await findLegs(context.database, order.store_id, order.id)));
  return {
    order_id: order.id,
    order_number: order.order_number,
    status: orderStatus(order),
    requires_payment: sheet.isPayable,
    client_secret: sheet.clientSecret,
    ephemeral_key: sheet.ephemeralKey,
    payment_customer_id: sheet.isPayable ? order.payment_customer : null,
    connected_account_id: order.connected_account_id,
    payment_intent_id: order.payment_intent_id,
    amount_pence: order.total_pence,
    currency: order.currency,
    merchant_name: order.store_name,
    collection_code: order.collection_code,
    requested_collection_at: order.requested_collection_at,
    ...(legs.length > 0 ? { children: legs.map(childView) } : {}),
  };
}

/** The order of the fields does not matter, and null equals an absent field. */
const fingerprintOf = ({ idempotency_key: _, ...request }: Body): string => requestHash(request);
