import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { customerOrderView } from '../rules/customer-order-view.ts';
import { findCustomerOrder } from '../tables/customer-orders.ts';

/** Returns one of the caller's orders. */
export const getMyOrder: Operation<typeof orders.getMyOrder, Context> = async ({ params, caller }, { database }) => {
  const order = await findCustomerOrder(database, caller.id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: customerOrderView(order) };
};
