import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { OrderRow, orderColumns, viewOf } from '../tables/orders.ts';

type List = Operation<typeof orders.listOrders, Context>;

/** Lists the live queue, oldest due first, or what has ended, newest first and paged by the last row's created_at and id. */
export const listOrders: List = async ({ query }, { database }) => {
  const rows =
    query.scope === 'active'
      ? await database.any(sql.prepared('list-active', OrderRow)`
          select ${orderColumns} from orders o
          where o.store_id = ${query.store_id} and o.paid_at is not null and o.business_status in ('placed', 'ready')
          order by coalesce(o.requested_collection_at, o.created_at), o.id
          limit ${query.limit}`)
      : await history(query, database);
  return { orders: rows.map(viewOf), scope: query.scope };
};

/** Without before_id the bound includes its row, so that none of those that share its instant is lost. */
async function history({ store_id, limit, before, before_id }: Parameters<List>[0]['query'], database: Context['database']) {
  if (before_id && !before) throw new Problem('INVALID_CURSOR', { message: 'before_id: needs before, the created_at of the same row.' });
  if (before && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/.test(before)) {
    throw new Problem('INVALID_CURSOR', { message: 'before: must be the created_at of a row, as it was answered.' });
  }
  const bound = before ?? 'infinity';
  const last = before_id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const inclusive = before !== undefined && before_id === undefined;
  return await database.any(sql.prepared('list-history', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${store_id} and (o.business_status in ('fulfilled', 'cancelled') or o.payment_status in ('expired', 'cancelled'))
      and (o.created_at, o.id) <= (${bound}::timestamptz, ${last}::uuid)
      and (${inclusive} or (o.created_at, o.id) <> (${bound}::timestamptz, ${last}::uuid))
    order by o.created_at desc, o.id desc
    limit ${limit}`);
}
