import type { Context } from '../context.ts';
import { getOrder, listOrders } from '../order/operations.ts';
import type { LiveBound } from '../order/rules/paging.ts';
import { listActiveOrders } from '../order/tables/order-lists.ts';

type ListOrdersQuery = Parameters<typeof listOrders>[0]['query'];

/** The operation that lists a store's orders, for the benchmarks of its plans. It sends its statement through the context it is given. */
export const readOrderList = (query: ListOrdersQuery) => (context: Context) =>
  listOrders({ query } as Parameters<typeof listOrders>[0], context);

/** Reads a further page of a store's live orders, after the time and id that the operation found for its cursor. */
export const readLivePage = (storeId: string, limit: number, bound: LiveBound) => (context: Context) =>
  listActiveOrders(context.database, { storeId, limit, search: null, from: null, to: null }, bound);

/** The operation that reads one order, for the benchmarks of its plan. */
export const readOrder = (storeId: string, orderId: string) => (context: Context) =>
  getOrder({ params: { orderId }, query: { store_id: storeId } } as Parameters<typeof getOrder>[0], context);
