import type { Operation } from '@corner/chassis';
import { InstantInput, type orders, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { OrderRow, orderColumns, viewOf } from '../tables/orders.ts';

type List = Operation<typeof orders.listOrders, Context>;
type Query = Parameters<List>[0]['query'];

/** Lists the live queue, oldest due first, or what has ended, newest first and paged by the last row's created_at and id. */
export const listOrders: List = async ({ query }, { database }) => {
  const rows = await database.any(query.scope === 'active' ? active(query) : history(query));
  return { orders: rows.map(viewOf), scope: query.scope };
};

const active = ({ store_id, limit }: Query) => sql.prepared('list-active', OrderRow)`
  select ${orderColumns} from orders o
  where o.store_id = ${store_id} and o.paid_at is not null and o.business_status in ('placed', 'ready')
  order by coalesce(o.requested_collection_at, o.created_at), o.id
  limit ${limit}`;

function history(query: Query) {
  const { at, id } = boundOf(query);
  return sql.prepared('list-history', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${query.store_id} and (o.business_status in ('fulfilled', 'cancelled') or o.payment_status in ('expired', 'cancelled'))
      and (o.parent_order_id is null or o.paid_at is not null)
      and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
    order by o.created_at desc, o.id desc
    limit ${query.limit}`;
}

// No order has it, and all of an instant come before it.
const beyondEveryId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * What a page's rows come before. Without before_id every row of the instant is among them, so that none is lost: whoever pages
 * so stays where they are once an instant has more rows than a page. Throws INVALID_CURSOR.
 */
function boundOf({ before, before_id }: Query): { readonly at: string; readonly id: string } {
  if (before === undefined && before_id !== undefined) {
    throw new Problem('INVALID_CURSOR', { message: 'before_id: needs before, the created_at of the same row.' });
  }
  if (before !== undefined && !isInstant(before)) {
    throw new Problem('INVALID_CURSOR', { message: 'before: must be the created_at of a row, as it was answered.' });
  }
  return { at: before ?? 'infinity', id: before_id ?? beyondEveryId };
}

/** Whether the database can read it as an instant. It knows no year 0, and no offset that no place on earth has. */
const isInstant = (text: string) => InstantInput.safeParse(text).success && !/^0000|\.\d{7}|[+-](1[5-9]|2\d):\d\d$/.test(text);
