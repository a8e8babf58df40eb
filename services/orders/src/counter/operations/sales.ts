import { type Caller, derivedUuid, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import {
  type CheckoutContext,
  findOrderToPrepare,
  type HandOver,
  placeBasket,
  requestOf,
  soldBefore,
  soldOffline,
} from '../../checkout/index.ts';
import type { Context } from '../../context.ts';
import { setBusinessStatus } from '../../fulfilment/index.ts';
import { requestHash } from '../../order/crypto.ts';
import { orderView } from '../../order/rules/order-views.ts';
import { isUnpaid } from '../../order/rules/status.ts';
import { sumOf, tenderViews } from '../../order/rules/tenders.ts';
import { findOrder } from '../../order/tables/orders.ts';
import { resolveCustomer } from '../sagas.ts';
import { listOpenSales, listPaidSales } from '../tables/sales.ts';
import { takeTenders } from '../transactions/take-tenders.ts';

/** Minutes for which an open sale keeps what it holds. */
const openMinutes = 720;

/**
 * Sells a basket at the counter, or for a partner: the same placing as a phone's order, paid in the transaction that places it, or left
 * open. Its id derives from the caller and the Idempotency-Key, so a repeat finds it, also when a tap has made it another customer's.
 */
export const sellAtCounter: Operation<typeof orders.sellAtCounter, CheckoutContext> = async (
  { caller, query, body, idempotencyKey },
  context,
) => {
  const { store_id: storeId, customer, tenders = null } = body;
  const saleId = idempotencyKey === undefined ? context.newId() : derivedUuid(keyOf('sale', storeId, caller, idempotencyKey));
  const fingerprint = requestHash(body);
  const before =
    idempotencyKey === undefined
      ? null
      : await findOrderToPrepare(context.database, { customerId: saleId, key: saleId, orderId: saleId }, context.mode);
  if (before) return await replyWith(before, fingerprint, context);
  const asked = soldOffline(body, context.now());
  const offline = asked ?? (caller.type === 'partner' ? null : soldBefore(body, query.sold_seconds_ago ?? 0, context.now()));
  if (asked && caller.type === 'partner') throw new Problem('VALIDATION_FAILED', { message: 'offline: is for staff.' });
  const customerId = customer ? await resolveCustomer(context, { storeId, typed: customer, caller }) : null;
  if (customerId === null && body.voucher_id)
    throw new Problem('VALIDATION_FAILED', { message: 'voucher_id: needs customer, whose voucher it is.' });
  const request = requestOf(body);
  // An offline sale was handed over when it was made, so the kitchen has nothing to do.
  const isHandedOver = offline !== null && request.basket.main.orderType === 'buy_now';
  const { placed } = await placeBasket(
    {
      ...request,
      channel: caller.type === 'partner' ? 'partner' : 'counter',
      storeCode: null,
      orderId: saleId,
      customerId: customerId ?? saleId,
      withoutCustomer: customerId === null,
      placedBy: { id: caller.id, name: caller.name },
      key: saleId,
      fingerprint,
      deviceHash: null,
      addressHash: null,
      holdMinutes: openMinutes,
      offline,
      payment: tenders && { tenders, handOver: isHandedOver ? handOverBy(caller) : null },
    },
    context,
  );
  return await replyWith(placed, fingerprint, context);
};

const handOverBy =
  ({ name }: Caller): HandOver =>
  (tx, order) =>
    setBusinessStatus(tx, { ...order, to: 'fulfilled', note: null, actor: name, manages: false });

export const payByTenders: Operation<typeof orders.payByTenders, Context> = async ({ caller, params, body, idempotencyKey }, context) => {
  const { store_id: storeId, tenders, part: isPart } = body;
  const { orderId } = params;
  const attempt = idempotencyKey === undefined ? context.newId() : derivedUuid(keyOf('tenders', orderId, caller, idempotencyKey));
  const by = { id: caller.id, name: caller.name };
  await takeTenders(context.database, { storeId, orderId, tenders, isPart, attempt, by, byStaff: caller.type !== 'partner' });
  return await readSale(storeId, orderId, context);
};

const keyOf = (what: string, of: string, { type, id }: Caller, key: string): string => `${what}:${of}:${type}:${id}:${key}`;

interface Placed {
  readonly id: string;
  readonly store_id: string;
  readonly fingerprint: string | null;
}

async function replyWith(placed: Placed, fingerprint: string, context: Context) {
  if (placed.fingerprint !== fingerprint) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return await readSale(placed.store_id, placed.id, context);
}

async function readSale(storeId: string, orderId: string, { database }: Context) {
  const order = await findOrder(database, storeId, orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  const tenders = tenderViews(order.tenders ?? []);
  return { order: orderView(order), tenders, left_pence: isUnpaid(order) ? order.total_pence - sumOf(tenders) : 0 };
}

export const listSales: Operation<typeof orders.listSales, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, limit, state } = query;
  const sales = await (state === 'open' ? listOpenSales : listPaidSales)(database, storeId, limit);
  return { sales: sales.map(orderView) };
};
