import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from '../rules/order-view.ts';
import { pageBound } from '../rules/page-bound.ts';
import { listActiveOrders, listEndedOrders } from '../tables/order-lists.ts';

/** Lists the live queue, oldest due first, or the ended orders, newest first, paged by the last row's created_at and id. */
export const listOrders: Operation<typeof orders.listOrders, Context> = async ({ query }, { database }) => {
  const { scope, store_id, limit } = query;
  const rows =
    scope === 'active'
      ? await listActiveOrders(database, store_id, limit)
      : await listEndedOrders(database, store_id, limit, pageBound(query));
  return { orders: rows.map(orderView), scope };
};
