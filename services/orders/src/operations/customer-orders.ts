import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { customerOrderView } from '../rules/customer-order-view.ts';
import { checkCursor, pageBound } from '../rules/page-bound.ts';
import { findCustomerOrder, listCustomerOrders } from '../tables/customer-orders.ts';

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
