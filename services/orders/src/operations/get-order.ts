import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from '../rules/order-view.ts';
import { findOrder } from '../tables/orders.ts';

/** Returns one order of the store. */
export const getOrder: Operation<typeof orders.getOrder, Context> = async ({ params, query }, { database }) => {
  const order = await findOrder(database, query.store_id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: orderView(order) };
};
