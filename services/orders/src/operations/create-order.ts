import { createHash } from 'node:crypto';
import { crashPoint, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { basketOf } from '../rules/basket.ts';
import { checkStore, priceBasket, type ReadyPart, readyPart } from '../rules/placement.ts';
import type { Price } from '../rules/pricing.ts';
import { foldCode } from '../rules/promo.ts';
import { readyPayment } from '../sagas/ready-payment.ts';
import { orderIdFor, releaseFor, reserveFor, type VoucherUse } from '../sagas/reserve-voucher.ts';
import { findPlaced, type Ground, type Placed, readGround } from '../tables/ground.ts';
import { acceptPaid } from '../tables/mark-paid.ts';
import { childOf, findLegs, statusOf } from '../tables/orders.ts';
import { type PlacedPart, type Placement, placeOrder } from '../tables/place-order.ts';

type Create = Operation<typeof orders.createOrder, Context>;
type Body = Parameters<Create>[0]['body'];

/**
 * Places an order and readies its payment. Loyalty reserves the voucher, if one is used; what is held and written commits, in one
 * statement; then the provider is asked, under a key made of the order's id; then the intent is kept. A repeat takes up at the
 * first step that is missing.
 */
export const createOrder: Create = async ({ caller, body }, context) => {
  const fingerprint = fingerprintOf(body);
  const basket = basketOf(body);
  const parts = [basket.main, ...basket.legs];
  const ground = await readGround(context.database, {
    storeId: body.store_id,
    customerId: caller.id,
    key: body.idempotency_key,
    itemIds: parts.flatMap(({ lines }) => lines.map(({ menu_item_id }) => menu_item_id)),
    slotIds: parts.flatMap(({ slotId }) => slotId ?? []),
    collectAt: parts.flatMap(({ slotId, collectAt }) => (slotId ? [] : (collectAt ?? []))),
    promoCode: body.promo_code ? foldCode(body.promo_code) : null,
  });
  if (ground.placed) return await answer(ground.placed, fingerprint, context);

  const at = context.now();
  const store = checkStore(ground.store, body.store_code, basket, at);
  const main = readyPart(basket.main, ground.items, ground.slots, at);
  const legs = basket.legs.map((leg) => readyPart(leg, ground.items, ground.slots, at));
  const id = body.voucher_id ? orderIdFor(caller.id, body.idempotency_key) : context.newId();
  const voucher = body.voucher_id ? { orderId: id, voucherId: body.voucher_id, customerId: caller.id, storeId: store.id } : null;
  const reward = voucher ? await reserveFor(voucher, context) : null;
  crashPoint('orders.create.after-voucher');
  const placed = await orGiveBack(voucher, context, async () => {
    const price = priceBasket(
      [main, ...legs],
      { reward, promo: body.promo_code ? { found: ground.promo, hasPaidBefore: ground.has_paid_before } : null },
      { tipPence: body.tip_pence ?? 0, feeBps: store.fee_bps, at },
    );
    const placement: Placement = {
      storeId: store.id,
      customerId: caller.id,
      key: body.idempotency_key,
      fingerprint,
      mode: body.fulfilment?.mode ?? 'counter',
      tableNumber: body.fulfilment?.mode === 'table' ? (body.fulfilment.table_number ?? null) : null,
      main: { ...placedPart(id, main, price.main), price: price.main },
      legs: legs.map((leg, n) => placedPart(context.newId(), leg, price.legs[n] as Price)),
      counted: new Set(ground.items.filter(({ stock }) => stock !== null).map((item) => item.id)),
      promo: body.promo_code ? ground.promo : null,
      voucherId: body.voucher_id ?? null,
      connectedAccountId: store.connected_account_id,
      onBehalfOf: store.on_behalf_of,
      currency: store.currency,
      payUntil: new Date(at.getTime() + context.holdMinutes * 60_000),
      at,
    };
    return await place(placement, ground, context);
  });
  crashPoint('orders.create.after-holds');
  return await answer(placed, fingerprint, context);
};

/** A refusal after the voucher was reserved gives it back. Whatever else went wrong may have placed the order, and leaves it. */
async function orGiveBack<T>(voucher: VoucherUse | null, context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (voucher && error instanceof Problem) await releaseFor(voucher, context);
    throw error;
  }
}

const placedPart = (id: string, { orderType, collectionMode, slot, lines, prepMinutes }: ReadyPart, price: Price): PlacedPart => ({
  id,
  orderType,
  collectionMode,
  slotId: slot?.id ?? null,
  collectAt: slot?.starts_at ?? null,
  prepMinutes,
  lines,
  price,
});

/**
 * Commits the order; one that costs nothing is paid in the same transaction. Whoever loses a race for the key, be it by the key
 * or by the stock the winner took, has changed nothing and is handed the winner's order.
 */
async function place(placement: Placement, ground: Ground, context: Context): Promise<Placed> {
  const read = () => findPlaced(context.database, placement.customerId, placement.key);
  try {
    const placed = await (placement.main.price.totalPence === 0 ? placeFree : placePayable)(placement, ground, context);
    if (placed) return placed;
    const before = await read();
    if (!before) throw new Error('an order that was placed is not there');
    return before;
  } catch (error) {
    const winner = await read();
    if (!winner) throw error;
    return winner;
  }
}

async function placePayable(placement: Placement, ground: Ground, { database }: Context): Promise<Placed | null> {
  const made = await placeOrder(database, placement);
  return made && placedBy(placement, made.order_number, ground);
}

const placeFree = (placement: Placement, ground: Ground, { database, newId }: Context): Promise<Placed | null> =>
  database.transaction(async (tx) => {
    const made = await placeOrder(tx, placement);
    if (!made) return null;
    const { storeId, customerId, main, legs, at } = placement;
    const unpaid = { storeId, customerId, id: main.id, legIds: legs.map(({ id }) => id) };
    const [paid, ...paidLegs] = await acceptPaid(tx, unpaid, { at, intentId: null, chargePence: 0, newId });
    const { payment_status, business_status, collection_code } = paid;
    return { ...placedBy(placement, made.order_number, ground), payment_status, business_status, collection_code, legs: paidLegs };
  });

/** What was just placed, without reading it back. */
const placedBy = (placement: Placement, orderNumber: string, { store, payment_customer }: Ground): Placed => ({
  id: placement.main.id,
  store_id: placement.storeId,
  customer_id: placement.customerId,
  order_number: orderNumber,
  fingerprint: placement.fingerprint.toString('hex'),
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
  collection_code: null,
  store_name: store?.name ?? '',
  payment_customer,
});

const keyWindowMs = 600_000;

/**
 * Makes good whatever is missing of an order, and answers it anew each time: its secrets are fetched, never stored. Throws
 * IDEMPOTENCY_KEY_REUSED when it was placed by another request.
 */
async function answer(placed: Placed, fingerprint: Buffer, context: Context): ReturnType<Create> {
  if (placed.fingerprint !== fingerprint.toString('hex')) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  const order = await readyPayment(placed, context);
  const { database, payments, now } = context;
  const payable = order.total_pence > 0 && (order.payment_status === 'pending_payment' || order.payment_status === 'payment_failed');
  const [intent, ephemeralKey] =
    payable && order.payment_intent_id && order.payment_customer
      ? await Promise.all([
          payments.intent(order.payment_intent_id),
          payments.ephemeralKey(order.payment_customer, order.id, Math.floor(now().getTime() / keyWindowMs)),
        ])
      : [null, null];
  // What costs nothing is never confirmed: its legs are answered here.
  const legs = order.total_pence > 0 ? [] : (order.legs ?? (await findLegs(database, order.store_id, order.id)));
  return {
    order_id: order.id,
    order_number: order.order_number,
    status: statusOf(order),
    requires_payment: payable,
    client_secret: intent?.clientSecret ?? null,
    ephemeral_key: ephemeralKey,
    payment_customer_id: payable ? order.payment_customer : null,
    connected_account_id: order.connected_account_id,
    payment_intent_id: order.payment_intent_id,
    amount_pence: order.total_pence,
    currency: order.currency,
    merchant_name: order.store_name,
    collection_code: order.collection_code,
    ...(legs.length > 0 ? { children: legs.map(childOf) } : {}),
  };
}

/** The same wish has the same fingerprint, whatever the order of its fields; the key itself is no part of it. */
function fingerprintOf({ idempotency_key: _, ...wish }: Body): Buffer {
  const sorted = (_key: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(wish, sorted)).digest();
}
