import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { checkCursor, pageBound } from '../order/rules/page-bound.ts';
import { placesLeft, refusalOfSlot } from './rules/slots.ts';
import { refusalOfStore } from './rules/taking-orders.ts';
import { customerOrderView, storeView } from './rules/views.ts';
import { findCustomerOrder, listCustomerOrders } from './tables/customer-orders.ts';
import { findLiveStore, findStoresByCode, listFreeSlots, listLiveStores, listOfferedItems } from './tables/store-views.ts';

/** Lists the stores that are live, all or those of a code, with the orders that each takes now. */
export const listStores: Operation<typeof orders.listStores, Context> = async ({ query: { code, after, limit } }, { database, now }) => {
  const stores = code === undefined ? await listLiveStores(database, after, limit) : await findStoresByCode(database, code, after, limit);
  return { stores: stores.map((store) => storeView(store, now())) };
};

/** Returns the items that a store offers, and the orders that it takes now. */
export const readMenu: Operation<typeof orders.readMenu, Context> = async ({ params: { store_id } }, { database, now }) => {
  const store = await findLiveStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  return { store: storeView(store, now()), items: [...(await listOfferedItems(database, store_id))] };
};

/** Lists the slots that an order could be placed for now: none while the store takes no orders. */
export const listOpenSlots: Operation<typeof orders.listOpenSlots, Context> = async (
  { params: { store_id }, query },
  { database, now },
) => {
  const store = await findLiveStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const at = now();
  if (refusalOfStore(store, at)) return { slots: [] };
  const from = query.from !== undefined && Date.parse(query.from) > at.getTime() ? query.from : at.toISOString();
  // The statement leaves out what is full or in a closure, so that a page has as many slots as asked for; the rule decides.
  const slots = await listFreeSlots(database, store_id, from, query.limit);
  return {
    slots: slots
      .filter((slot) => refusalOfSlot(slot, store, at) === null)
      .map((slot) => ({ id: slot.id, starts_at: slot.starts_at, ends_at: slot.ends_at, orders_remaining: placesLeft(slot) })),
  };
};

/** Lists the caller's orders at all stores, newest first. */
export const listMyOrders: Operation<typeof orders.listMyOrders, Context> = async ({ query, caller }, { database }) => {
  checkCursor(query);
  const rows = await listCustomerOrders(database, caller.id, query.limit, pageBound(query));
  return { orders: rows.map(customerOrderView) };
};

/** Returns one of the caller's orders. */
export const getMyOrder: Operation<typeof orders.getMyOrder, Context> = async ({ params, caller }, { database }) => {
  const order = await findCustomerOrder(database, caller.id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: customerOrderView(order) };
};
