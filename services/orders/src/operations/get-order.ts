import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { findOrder, viewOf } from '../tables/orders.ts';

/** Reads one order of the store. */
export const getOrder: Operation<typeof orders.getOrder, Context> = async ({ params, query }, { database }) => {
  const order = await findOrder(database, query.store_id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: viewOf(order) };
};
