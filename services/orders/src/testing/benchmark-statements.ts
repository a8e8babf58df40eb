import type { Context } from '../context.ts';
import { getOrder, listOrders } from '../order/operations.ts';
import type { LiveBound } from '../order/rules/paging.ts';
import { listActiveOrders } from '../order/tables/order-lists.ts';

type ListOrdersQuery = Parameters<typeof listOrders>[0]['query'];

export const readOrderList = (query: ListOrdersQuery) => (context: Context) =>
  listOrders({ query } as Parameters<typeof listOrders>[0], context);

export const readLivePage = (storeId: string, limit: number, bound: LiveBound) => (context: Context) =>
  listActiveOrders(context.database, { storeId, limit, search: null, from: null, to: null }, bound);

export const readOrder = (storeId: string, orderId: string) => (context: Context) =>
  getOrder({ params: { orderId }, query: { store_id: storeId } } as Parameters<typeof getOrder>[0], context);
