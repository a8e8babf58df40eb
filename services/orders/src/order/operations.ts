import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from './rules/order-view.ts';
import { checkCursor, liveBound, pageBound } from './rules/page-bound.ts';
import { findOrderLog } from './tables/log.ts';
import { findDueAt, findEarliestDueAt, listActiveOrders, listEndedOrders } from './tables/order-lists.ts';
import { findOrder, type OrderRow } from './tables/orders.ts';

type List = Operation<typeof orders.listOrders, Context>;
type Query = Parameters<List>[0]['query'];

/**
 * Lists the live queue, oldest due first, or the ended orders, newest first. Both are paged by the last row's created_at and id: of the
 * live queue, they name the row whose due time the next page starts after.
 */
export const listOrders: List = async ({ query }, context) => {
  const { scope, store_id, limit } = query;
  checkCursor(query);
  const rows =
    scope === 'active' ? await listLive(query, context) : await listEndedOrders(context.database, store_id, limit, pageBound(query));
  return { orders: rows.map(orderView), scope };
};

async function listLive({ store_id, limit, before, before_id }: Query, { database }: Context): Promise<readonly OrderRow[]> {
  const findDue = (createdAt: string) =>
    before_id === undefined ? findEarliestDueAt(database, store_id, createdAt) : findDueAt(database, store_id, before_id, createdAt);
  const dueAt = before === undefined ? null : await findDue(before);
  return await listActiveOrders(database, store_id, limit, liveBound({ before, before_id }, dueAt));
}

/** Returns one order of the store. */
export const getOrder: Operation<typeof orders.getOrder, Context> = async ({ params, query }, { database }) => {
  const order = await findOrder(database, query.store_id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: orderView(order) };
};

/** Lists an order's log, newest first. Without a store in the query, the order may be of any store the caller belongs to. */
export const orderLog: Operation<typeof orders.orderLog, Context> = async ({ caller, params, query }, { database }) => {
  const entries = await findOrderLog(database, params.orderId, query.store_id ? [query.store_id] : [...caller.stores.keys()]);
  if (!entries) throw new Problem('ORDER_NOT_FOUND');
  return { entries: [...entries] };
};
