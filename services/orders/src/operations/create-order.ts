import { createHash } from 'node:crypto';
import { crashPoint, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { Declined } from '../outside/payments.ts';
import { isOpen } from '../rules/opening-hours.ts';
import { mergeLines, prepMinutesOf, priceLines, priceOrder } from '../rules/pricing.ts';
import { endUnpaid } from '../tables/end-unpaid.ts';
import { markPaid } from '../tables/mark-paid.ts';
import { statusOf } from '../tables/orders.ts';
import { findPlaced, type Ground, type Placed, type Placement, placeOrder, readGround, recordIntent } from '../tables/place-order.ts';

type Create = Operation<typeof orders.createOrder, Context>;
type Body = Parameters<Create>[0]['body'];

/**
 * Places an order and readies its payment. What is held and written commits first, in one statement; then the provider is
 * asked, under a key made of the order's id; then the intent is kept. A repeat takes up at the first step that is missing.
 */
export const createOrder: Create = async ({ caller, body }, context) => {
  const fingerprint = fingerprintOf(body);
  const lines = mergeLines(body.items);
  const ground = await readGround(context.database, {
    storeId: body.store_id,
    itemIds: lines.map(({ menu_item_id }) => menu_item_id),
    customerId: caller.id,
    key: body.idempotency_key,
  });
  if (ground.placed) return answer(await resume(ground.placed, fingerprint, context), context);

  if (body.fulfilment_groups || body.voucher_id || body.promo_code || body.slot_id || body.collection_mode === 'scheduled') {
    throw new Problem('NOT_IMPLEMENTED', { message: 'Mixed baskets, slots, vouchers and promo codes are not built yet.' });
  }
  const placement = decide(body, lines, ground, fingerprint, caller.id, context);
  const placed = await place(placement, ground, context);
  crashPoint('orders.create.after-holds');
  return answer(await resume(placed, fingerprint, context), context);
};

/** Checks everything that can be refused without taking anything. */
function decide(
  body: Body,
  lines: ReturnType<typeof mergeLines>,
  ground: Ground,
  fingerprint: Buffer,
  customerId: string,
  context: Context,
): Placement {
  const { store } = ground;
  if (!store) throw new Problem('STORE_NOT_FOUND');
  if (store.code.toUpperCase() !== body.store_code.toUpperCase()) throw new Problem('STORE_CODE_MISMATCH');
  if (!store.live || !store.connected_account_id) throw new Problem('STORE_NOT_ACCEPTING_ORDERS');
  const at = context.now();
  if (!isOpen(store.hours, store.time_zone, at)) throw new Problem('STORE_CLOSED');
  const priced = priceLines(lines, ground.items);
  const orderType = body.order_type ?? (body.collection_mode ? 'collect' : 'buy_now');
  return {
    id: context.newId(),
    storeId: store.id,
    customerId,
    key: body.idempotency_key,
    fingerprint,
    orderType,
    collectionMode: orderType === 'collect' ? 'now' : null,
    mode: body.fulfilment?.mode ?? 'counter',
    tableNumber: body.fulfilment?.mode === 'table' ? (body.fulfilment.table_number ?? null) : null,
    prepMinutes: prepMinutesOf(lines, ground.items),
    lines: priced,
    stocked: ground.items,
    price: priceOrder(priced, { tipPence: body.tip_pence ?? 0, feeBps: store.fee_bps }),
    connectedAccountId: store.connected_account_id,
    onBehalfOf: store.on_behalf_of,
    currency: store.currency,
    payUntil: new Date(at.getTime() + context.holdMinutes * 60_000),
    at,
  };
}

/**
 * Commits the order; one that costs nothing is paid in the same transaction. Whoever loses a race for the key, be it by the key
 * or by the stock the winner took, has changed nothing and is handed the winner's order.
 */
async function place(placement: Placement, ground: Ground, { database, now }: Context): Promise<Placed> {
  const read = () => findPlaced(database, placement.customerId, placement.key);
  try {
    const made = placement.price.totalPence > 0 ? await placeOrder(database, placement) : await placeFree(placement, database, now());
    const placed = made && placement.price.totalPence > 0 ? placedBy(placement, made.order_number, ground) : await read();
    if (!placed) throw new Error('an order that was placed is not there');
    return placed;
  } catch (error) {
    const winner = await read();
    if (!winner) throw error;
    return winner;
  }
}

const placeFree = (placement: Placement, database: Context['database'], at: Date) =>
  database.transaction(async (tx) => {
    const made = await placeOrder(tx, placement);
    if (made) await markPaid(tx, placement.storeId, placement.id, { at, intentId: null, chargePence: 0 });
    return made;
  });

/** What was just placed, without reading it back. */
const placedBy = (placement: Placement, orderNumber: string, { store, payment_customer }: Ground): Placed => ({
  id: placement.id,
  store_id: placement.storeId,
  customer_id: placement.customerId,
  order_number: orderNumber,
  fingerprint: placement.fingerprint.toString('hex'),
  payment_status: 'pending_payment',
  business_status: null,
  currency: placement.currency,
  total_pence: placement.price.totalPence,
  refunded_pence: 0,
  application_fee_pence: placement.price.feePence,
  connected_account_id: placement.connectedAccountId,
  on_behalf_of: placement.onBehalfOf,
  payment_intent_id: null,
  collection_code: null,
  store_name: store?.name ?? '',
  payment_customer,
});

/** Makes good whatever is missing of an order placed under this key. Throws IDEMPOTENCY_KEY_REUSED for another request. */
async function resume(order: Placed, fingerprint: Buffer, context: Context): Promise<Placed> {
  const { database, payments } = context;
  if (order.fingerprint !== fingerprint.toString('hex')) throw new Problem('IDEMPOTENCY_KEY_REUSED');
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

const keyWindowMs = 600_000;

/** The answer is made anew each time: its secrets are fetched, never stored. */
async function answer(order: Placed, { payments, now }: Context): ReturnType<Create> {
  const payable = order.total_pence > 0 && (order.payment_status === 'pending_payment' || order.payment_status === 'payment_failed');
  const [intent, ephemeralKey] =
    payable && order.payment_intent_id && order.payment_customer
      ? await Promise.all([
          payments.intent(order.payment_intent_id),
          payments.ephemeralKey(order.payment_customer, order.id, Math.floor(now().getTime() / keyWindowMs)),
        ])
      : [null, null];
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
