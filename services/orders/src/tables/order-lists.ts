import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import type { PageBound } from '../rules/page-bound.ts';
import { OrderRow, orderColumns } from './orders.ts';

/** Reads a store's paid orders that have not ended, oldest due first. */
export const listActiveOrders = (queries: Queries, storeId: string, limit: number): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('list-active', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${storeId} and o.paid_at is not null and o.business_status in ('placed', 'ready')
    order by coalesce(o.requested_collection_at, o.created_at), o.id
    limit ${limit}`);

/** Reads a store's ended orders below a bound, newest first. Legs are included once they were paid. */
export const listEndedOrders = (queries: Queries, storeId: string, limit: number, { at, id }: PageBound): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('list-history', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${storeId} and (o.business_status in ('fulfilled', 'cancelled') or o.payment_status in ('expired', 'cancelled'))
      and (o.parent_order_id is null or o.paid_at is not null)
      and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
    order by o.created_at desc, o.id desc
    limit ${limit}`);
