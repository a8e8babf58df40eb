import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from './rules/order-views.ts';
import { checkCursor, liveBound, pageBound } from './rules/paging.ts';
import { searchFor } from './rules/search.ts';
import { findOrderLog } from './tables/log.ts';
import { findDueAt, findEarliestDueAt, type ListedOrders, listActiveOrders, listEndedOrders } from './tables/order-lists.ts';
import { findOrder } from './tables/orders.ts';

type List = Operation<typeof orders.listOrders, Context>;
type Query = Parameters<List>[0]['query'];

/**
 * Lists the live queue, oldest due first, or the ended orders, newest first, optionally by a search. The cursor is the last row's
 * created_at and id; in the live queue, the next page starts after that row's due time.
 */
export const listOrders: List = async ({ query }, context) => {
  const { scope, store_id: storeId, limit, q, from = null, to = null } = query;
  checkCursor(query);
  const list = { storeId, limit, search: searchFor(q), from, to };
  const rows = scope === 'active' ? await listLive(query, list, context) : await listEndedOrders(context.database, list, pageBound(query));
  return { orders: rows.map(orderView), scope };
};

async function listLive({ store_id, before, before_id }: Query, list: ListedOrders, { database }: Context) {
  const findDue = (createdAt: string) =>
    before_id === undefined ? findEarliestDueAt(database, store_id, createdAt) : findDueAt(database, store_id, before_id, createdAt);
  const dueAt = before === undefined ? null : await findDue(before);
  return await listActiveOrders(database, list, liveBound({ before, before_id }, dueAt));
}

export const getOrder: Operation<typeof orders.getOrder, Context> = async ({ params, query }, { database }) => {
  const order = await findOrder(database, query.store_id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: orderView(order) };
};

export const orderLog: Operation<typeof orders.orderLog, Context> = async ({ caller, params, query }, { database }) => {
  const entries = await findOrderLog(database, params.orderId, query.store_id ? [query.store_id] : [...caller.stores.keys()]);
  if (!entries) throw new Problem('ORDER_NOT_FOUND');
  return { entries: [...entries] };
};
