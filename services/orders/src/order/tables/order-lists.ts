import type { Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { LiveBound, PageBound } from '../rules/paging.ts';
import type { Search } from '../rules/search.ts';
import { isHistorySql, isLiveSql, ReadOrder, readColumns } from './orders.ts';

type ReadOrderRow = z.output<typeof ReadOrder>;

/** A page of a store's orders. Days, such as 2026-05-01, are in the store's time zone, both inclusive; null for no bound. */
export interface ListedOrders {
  readonly storeId: string;
  readonly limit: number;
  readonly search: Search | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** When an order was first due. It stays the same when the order moves to an earlier slot, so paging by it skips and repeats nothing. */
const dueAt: FragmentSqlToken = sql.fragment`coalesce(o.first_collection_at, o.requested_collection_at, o.created_at)`;

/** Reads a store's live orders from a bound on, oldest due first. Days are those of the first due time. */
export const listActiveOrders = (queries: Queries, list: ListedOrders, { at, id }: LiveBound): Promise<readonly ReadOrderRow[]> =>
  queries.any(sql.prepared(list.search ? 'search-active' : 'list-active', ReadOrder)`
    select ${readColumns} from ${ordersSql(list)}
    where o.store_id = ${list.storeId} and ${isLiveSql} and (${dueAt}, o.id) > (${at}::timestamptz, ${id}::uuid)
      and ${dueAt} >= ${beginningSql(list)} and ${dueAt} < ${endSql(list)}
    order by ${dueAt}, o.id
    limit ${list.limit}`);

/** Reads a store's ended orders below a bound, newest first, and legs that were paid. Days are those of placing. */
export const listEndedOrders = (queries: Queries, list: ListedOrders, { at, id }: PageBound): Promise<readonly ReadOrderRow[]> =>
  queries.any(sql.prepared(list.search ? 'search-history' : 'list-history', ReadOrder)`
    select ${readColumns} from ${ordersSql(list)}
    where o.store_id = ${list.storeId} and ${isHistorySql}
      and (o.parent_order_id is null or o.paid_at is not null)
      and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
      and o.created_at >= ${beginningSql(list)} and o.created_at < ${endSql(list)}
    order by o.created_at desc, o.id desc
    limit ${list.limit}`);

const ordersSql = ({ storeId, search }: ListedOrders): FragmentSqlToken =>
  search === null
    ? sql.fragment`orders o`
    : sql.fragment`(${searchSql(storeId, search)}) found cross join lateral (select * from orders where id = found.id limit 1) o`;

/**
 * The distinct ids of a store's orders that match a search. A number may omit the store's code; a mixed order's number includes its legs.
 * Names are compared by code point, whatever the database's locale, so that a prefix is a range of an index. `offset 0` keeps each look-up
 * on its own index: the planner could otherwise read all orders of the store.
 */
const searchSql = (storeId: string, { text, namePrefix, nameEnd, customerId }: Search): FragmentSqlToken => sql.fragment`
  with person as (
    select customer_id from contact
    where search_text(name) collate "C" >= search_text(${namePrefix}) collate "C"
      and search_text(name) collate "C" < search_text(${namePrefix}) || ${nameEnd} collate "C"
    union all
    select ${customerId}::uuid
  ), number as (
    select code || '-' || case when starts_with(upper(${text}), upper(code) || '-') then substr(${text}, length(code) + 2) else ${text} end as number
    from store where id = ${storeId}
  ), main as (
    select o.id from person p cross join lateral (
      select id from orders where customer_id = p.customer_id and parent_order_id is null and store_id = ${storeId} offset 0) o
  )
  select id from main
  union
  select l.id from main cross join lateral (select id from orders where parent_order_id = main.id offset 0) l
  union
  select o.id from number n cross join unnest(array['', '-1', '-2', '-3', '-4', '-5']) leg
  cross join lateral (select id from orders where order_number = n.number || leg and store_id = ${storeId} offset 0) o
  union
  select id from orders where collection_code = upper(${text}) and store_id = ${storeId}`;

const beginningSql = ({ storeId, from }: ListedOrders): FragmentSqlToken => sql.fragment`
  case when ${from}::date is null then '-infinity'
    else (select ${from}::date::timestamp at time zone time_zone from store where id = ${storeId}) end`;

const endSql = ({ storeId, to }: ListedOrders): FragmentSqlToken => sql.fragment`
  case when ${to}::date is null then 'infinity'
    else (select (${to}::date + 1)::timestamp at time zone time_zone from store where id = ${storeId}) end`;

/**
 * Reads when an order of a store was first due, by its id and the created_at it was listed with; it may have ended since. Null when there
 * is no such order.
 */
export const findDueAt = (queries: Queries, storeId: string, id: string, createdAt: string): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-due-at', z.object({ due_at: z.string() }))`
    select ${dueAt}::text as due_at from orders o where o.id = ${id} and o.store_id = ${storeId} and o.created_at = ${createdAt}::timestamptz`);

export const findEarliestDueAt = (queries: Queries, storeId: string, createdAt: string): Promise<string | null> =>
  queries.oneFirst(sql.prepared('find-earliest-due-at', z.object({ due_at: z.string().nullable() }))`
    select min(due_at)::text as due_at from (
      select ${dueAt} as due_at from orders o where o.store_id = ${storeId} and ${isLiveSql} and o.created_at = ${createdAt}::timestamptz
      union all
      select ${dueAt} from orders o where o.store_id = ${storeId} and ${isHistorySql} and o.created_at = ${createdAt}::timestamptz
    ) of_instant`);
