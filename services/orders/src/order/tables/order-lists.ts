import type { Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { LiveBound, PageBound } from '../rules/page-bound.ts';
import { OrderRow, orderColumns } from './orders.ts';

/** When an order was due first. It does not change when the order moves to an earlier slot, so paging by it skips and repeats nothing. */
const dueAt: FragmentSqlToken = sql.fragment`coalesce(o.first_collection_at, o.requested_collection_at, o.created_at)`;

/** Reads a store's paid orders that have not ended, oldest due first, from a bound on. */
export const listActiveOrders = (queries: Queries, storeId: string, limit: number, { at, id }: LiveBound): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('list-active', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${storeId} and o.is_live and (${dueAt}, o.id) > (${at}::timestamptz, ${id}::uuid)
    order by ${dueAt}, o.id
    limit ${limit}`);

/**
 * When an order of a store was due first, by its id and the created_at it was listed with; it may have ended since. Null when there is
 * none.
 */
export const findDueAt = (queries: Queries, storeId: string, id: string, createdAt: string): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-due-at', z.object({ due_at: z.string() }))`
    select ${dueAt}::text as due_at from orders o where o.id = ${id} and o.store_id = ${storeId} and o.created_at = ${createdAt}::timestamptz`);

/** The earliest time that a store's orders of an instant were due first; some may have ended since. Null when there is none. */
export const findEarliestDueAt = (queries: Queries, storeId: string, createdAt: string): Promise<string | null> =>
  queries.oneFirst(sql.prepared('find-earliest-due-at', z.object({ due_at: z.string().nullable() }))`
    select min(due_at)::text as due_at from (
      select ${dueAt} as due_at from orders o where o.store_id = ${storeId} and o.is_live and o.created_at = ${createdAt}::timestamptz
      union all
      select ${dueAt} from orders o where o.store_id = ${storeId} and o.has_ended and o.created_at = ${createdAt}::timestamptz
    ) of_instant`);

/** Reads a store's ended orders below a bound, newest first. Legs are included once they were paid. */
export const listEndedOrders = (queries: Queries, storeId: string, limit: number, { at, id }: PageBound): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('list-history', OrderRow)`
    select ${orderColumns} from orders o
    where o.store_id = ${storeId} and o.has_ended
      and (o.parent_order_id is null or o.paid_at is not null)
      and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
    order by o.created_at desc, o.id desc
    limit ${limit}`);
