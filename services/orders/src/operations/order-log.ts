import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { instant } from '../tables/orders.ts';

const Entry = z.object({
  at: z.string(),
  title: z.string(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
  amount_pence: z.number().nullable(),
});

/** Answers an order's log, newest first; a leg's has what became of the order it belongs to as well. Without a store named, an order of a store the caller does not hold is not found. */
export const orderLog: Operation<typeof orders.orderLog, Context> = async ({ caller, params, query }, { database }) => {
  const stores = query.store_id ? [query.store_id] : [...caller.stores.keys()];
  const found = await database.maybeOne(sql.prepared('find-order-log', z.object({ entries: z.array(Entry) }))`
    select coalesce((
      select jsonb_agg(jsonb_build_object('at', ${instant(sql.fragment`l.at`)}, 'title', l.title, 'detail', l.detail, 'actor', l.actor,
        'amount_pence', l.amount_pence) order by l.at desc, l.id desc)
      from log_entry l where l.order_id in (o.id, o.parent_order_id)), '[]') as entries
    from orders o where o.id = ${params.orderId} and o.store_id::text = any(${sql.array(stores, 'text')})`);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  return found;
};
