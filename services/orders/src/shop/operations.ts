import { type Caller, foundLogPage, type Operation } from '@corner/chassis';
import { type ChangedBy, type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { receiptUrl } from '../order/crypto.ts';
import { checkCursor, pageBound } from '../order/rules/paging.ts';
import { readyTimesView } from '../ready-times/index.ts';
import { menuView } from './rules/menu-view.ts';
import { paceQuarters, readyFrom, restOfDay, shownQuartersOf, shownSpan } from './rules/pace.ts';
import { placesLeft, quarterOf, refusalOfSlot } from './rules/slots.ts';
import { pauseView, storeLogTitle, switchedItemView } from './rules/switches.ts';
import { refusalOfStore } from './rules/taking-orders.ts';
import { customerOrderView, storeView } from './rules/views.ts';
import {
  findCustomerOrder,
  findLiveStore,
  findStoreOfMenu,
  findStoresByCode,
  listCustomerOrders,
  listFreeSlots,
  listListedStores,
  listOfferedItems,
} from './tables/customer-reads.ts';
import { listPaceQuarters } from './tables/pace.ts';
import { findSwitchedStore, listSwitchedItems, readStoreLog, type SwitchedStore } from './tables/switches.ts';
import { pauseStore as pauseStoreIn, setPace as setPaceIn, switchMenuItem as switchMenuItemIn } from './transactions.ts';

export const listStores: Operation<typeof orders.listStores, Context> = async ({ query: { code, after, limit } }, { database, now }) => {
  const stores = code === undefined ? await listListedStores(database, after, limit) : await findStoresByCode(database, code, after, limit);
  return { stores: stores.map((store) => storeView(store, now())) };
};

export const readMenu: Operation<typeof orders.readMenu, Context> = async ({ params: { store_id } }, { database, now }) => {
  const at = now();
  const store = await findStoreOfMenu(database, store_id, at.toISOString());
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const { pace } = store;
  const known = pace ? await listPaceQuarters(database, store_id, restOfDay(at)) : [];
  const items = menuView(await listOfferedItems(database, store_id), at);
  return {
    store: storeView(store, at),
    has_slots: store.has_slots,
    ready_times: store.ready_times && readyTimesView(store.ready_times),
    pace: pace && { ready_from: readyFrom({ ...store, pace }, known, at) },
    items,
  };
};

/** Lists the slots that can be booked now: none while the store takes no orders. */
export const listOpenSlots: Operation<typeof orders.listOpenSlots, Context> = async (
  { params: { store_id }, query },
  { database, now },
) => {
  const store = await findLiveStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const at = now();
  if (refusalOfStore(store, at)) return { slots: [] };
  const from = query.from !== undefined && Date.parse(query.from) > at.getTime() ? query.from : at.toISOString();
  // The statement leaves out full and closed slots, so that a page is full; the rule decides about the rest.
  const slots = await listFreeSlots(database, store_id, from, query.limit);
  return {
    slots: slots
      .filter((slot) => refusalOfSlot(slot, store, at) === null)
      .map((slot) => ({ id: slot.id, starts_at: slot.starts_at, ends_at: slot.ends_at, orders_remaining: placesLeft(slot) })),
  };
};

export const listMyOrders: Operation<typeof orders.listMyOrders, Context> = async ({ query, caller }, { database, receiptLinks }) => {
  checkCursor(query);
  const rows = await listCustomerOrders(database, caller.id, query.limit, pageBound(query));
  return { orders: rows.map((order) => customerOrderView(order, receiptUrl(receiptLinks, order.id))) };
};

export const getMyOrder: Operation<typeof orders.getMyOrder, Context> = async ({ params, caller }, { database, receiptLinks }) => {
  const order = await findCustomerOrder(database, caller.id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: customerOrderView(order, receiptUrl(receiptLinks, order.id)) };
};

export const readSwitches: Operation<typeof orders.readSwitches, Context> = async ({ params: { store_id } }, { database, now }) => {
  const store = await findSwitchedStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const at = now();
  const items = await listSwitchedItems(database, store_id);
  return { ...pausedView(store, at), items: items.map((item) => switchedItemView(item, at)) };
};

/** Marks an item as sold out, ends that, or sets how many are left. A repeat changes nothing. */
export const switchMenuItem: Operation<typeof orders.switchMenuItem, Context> = async ({ params, body, caller }, { database, now }) => {
  const change = { soldOut: body.sold_out, left: body.left };
  const request = { storeId: params.store_id, itemId: params.menu_item_id, change, by: byOf(caller) };
  return { item: switchedItemView(await database.transaction((tx) => switchMenuItemIn(tx, request)), now()) };
};

export const pauseStore: Operation<typeof orders.pauseStore, Context> = async ({ params, body, caller }, { database, now }) => {
  const request = { storeId: params.store_id, paused: body.paused, minutes: body.minutes ?? null, by: byOf(caller) };
  return pausedView(await database.transaction((tx) => pauseStoreIn(tx, request)), now());
};

export const readPace: Operation<typeof orders.readPace, Context> = async ({ params: { store_id } }, { database, now }) => {
  const store = await findSwitchedStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const { pace } = store;
  if (!pace) return { unit: null, quarters: [] };
  const at = now();
  const known = await listPaceQuarters(database, store_id, shownSpan(at));
  return { unit: pace.max_items === undefined ? 'minutes' : 'items', quarters: shownQuartersOf(pace, known, at) };
};

/** Narrows or widens a quarter of an hour. A repeat changes nothing. */
export const setPace: Operation<typeof orders.setPace, Context> = async ({ params, body, caller }, { database, now }) => {
  const store = await findSwitchedStore(database, params.store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const { pace } = store;
  if (!pace) throw invalidStart('the store has no pace; a manager sets one in the settings of its orders');
  const startsAt = new Date(body.starts_at);
  const { from, until } = shownSpan(now());
  if (startsAt < from || startsAt >= until || quarterOf(startsAt).getTime() !== startsAt.getTime())
    throw invalidStart('must be one that readPace returned');
  const request = { storeId: params.store_id, pace, startsAt, capacity: body.capacity ?? null, by: byOf(caller) };
  const row = await database.transaction((tx) => setPaceIn(tx, request));
  const [quarter = row] = paceQuarters(pace, [startsAt.toISOString()], [row]);
  return { quarter };
};

const invalidStart = (message: string) => new Problem('VALIDATION_FAILED', { message: `starts_at: ${message}.` });

export const listStoreLog: Operation<typeof orders.listStoreLog, Context> = async ({ params, query }, { database }) => {
  const { day = null, before = null, limit } = query;
  const page = foundLogPage(await readStoreLog(database, { storeId: params.store_id, day, before, limit }));
  const entries = page.rows.map((row) => ({
    id: String(row.id),
    at: row.at,
    title: storeLogTitle(row, page),
    by: { id: row.by_id, name: row.by_name },
    menu_item_id: row.menu_item_id,
  }));
  return { entries };
};

const byOf = ({ id, name }: Caller): ChangedBy => ({ id, name });

const pausedView = (store: SwitchedStore, at: Date) => ({ store: storeView(store, at), pause: pauseView(store, at) });
