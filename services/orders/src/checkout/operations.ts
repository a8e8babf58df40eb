import { createHash } from 'node:crypto';
import { canonicalJson, crashPoint, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { deviceHash } from '../order/crypto.ts';
import { orderStatus } from '../order/rules/order-status.ts';
import { childView } from '../order/rules/order-view.ts';
import { findLegs } from '../order/tables/orders.ts';
import { orderIdFor, withVoucher } from '../payment/index.ts';
import { normaliseCode } from '../shop/index.ts';
import { type Basket, basketOf } from './rules/basket.ts';
import { checkBasket, decidePlacement } from './rules/placement.ts';
import { placeOnce } from './sagas/place-once.ts';
import { preparePayment } from './sagas/prepare-payment.ts';
import { type Placed, readCheckoutData } from './tables/checkout-data.ts';

type Create = Operation<typeof orders.createOrder, Context>;
type Body = Parameters<Create>[0]['body'];

/**
 * Places an order and prepares its payment: loyalty reserves the voucher, one statement takes the holds and writes the order, the
 * provider creates the intent, and the intent is stored. A repeat continues at the first step that is missing.
 */
export const createOrder: Create = async ({ caller, body, markReplayed }, context) => {
  const fingerprint = fingerprintOf(body);
  const basket = basketOf(body);
  const data = await readCheckoutData(context.database, checkoutQuery(caller.id, body, basket));
  if (data.placed) {
    const reply = await respond(data.placed, fingerprint, context);
    markReplayed();
    return reply;
  }

  const placedAt = context.now();
  const checked = checkBasket(basket, body.store_code, data, placedAt);
  const id = body.voucher_id ? orderIdFor(caller.id, body.idempotency_key) : context.newId();
  const voucher = body.voucher_id ? { orderId: id, voucherId: body.voucher_id, customerId: caller.id, storeId: body.store_id } : null;
  const placed = await withVoucher(voucher, context, async (reward) => {
    crashPoint('orders.create.after-voucher');
    const placement = decidePlacement(checked, data, {
      ids: [id, ...checked.legs.map(() => context.newId())],
      customerId: caller.id,
      key: body.idempotency_key,
      fingerprint,
      mode: body.fulfilment?.mode ?? 'counter',
      tableNumber: body.fulfilment?.mode === 'table' ? (body.fulfilment.table_number ?? null) : null,
      tipPence: body.tip_pence ?? 0,
      usesPromo: Boolean(body.promo_code),
      voucherId: body.voucher_id ?? null,
      deviceHash: body.device_fingerprint ? deviceHash(context.deviceSecret, body.device_fingerprint) : null,
      reward,
      placedAt,
      holdMinutes: context.holdMinutes,
    });
    return await placeOnce(placement, data, context);
  });
  crashPoint('orders.create.after-holds');
  return await respond(placed, fingerprint, context);
};

function checkoutQuery(customerId: string, body: Body, { main, legs }: Basket) {
  const parts = [main, ...legs];
  return {
    storeId: body.store_id,
    customerId,
    key: body.idempotency_key,
    itemIds: parts.flatMap(({ lines }) => lines.map(({ menu_item_id }) => menu_item_id)),
    slotIds: parts.flatMap(({ slotId }) => slotId ?? []),
    collectAt: parts.flatMap(({ slotId, collectAt }) => (slotId ? [] : (collectAt ?? []))),
    promoCode: body.promo_code ? normaliseCode(body.promo_code) : null,
  };
}

/** Completes what an order still lacks, and returns the response. Throws IDEMPOTENCY_KEY_REUSED when another request placed it. */
async function respond(placed: Placed, fingerprint: string, context: Context): ReturnType<Create> {
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
    ...(legs.length > 0 ? { children: legs.map(childView) } : {}),
  };
}

/** A hash of the request without its key, hexadecimal. Neither the order of the fields nor a null in place of an absent field matters. */
const fingerprintOf = ({ idempotency_key: _, ...request }: Body): string =>
  createHash('sha256').update(canonicalJson(request)).digest('hex');
