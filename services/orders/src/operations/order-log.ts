import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { findOrderLog } from '../tables/log.ts';

/** Lists an order's log, newest first. Without a store in the query, the order may be of any store the caller belongs to. */
export const orderLog: Operation<typeof orders.orderLog, Context> = async ({ caller, params, query }, { database }) => {
  const entries = await findOrderLog(database, params.orderId, query.store_id ? [query.store_id] : [...caller.stores.keys()]);
  if (!entries) throw new Problem('ORDER_NOT_FOUND');
  return { entries: [...entries] };
};
