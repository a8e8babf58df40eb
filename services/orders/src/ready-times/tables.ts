import { type Database, NoColumns, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ReadyTimes, StoreReadyTimes } from './rules.ts';

export const ReadyTimesRow = z.object({ learned: z.custom<ReadyTimes>().nullable(), quotes: z.number(), kept: z.number() });

const Store = z.object({ id: z.string() });

/** Reads the ids of stores, a hundred at a time, after one. */
export const listStoreIds = (database: Database, after: string): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('list-store-ids', Store)`select id from store where id > ${after} order by id limit 100`);

/** The orders `o` of the store `s` that may be ready since an instant: those that have ended, and the live ones. Each has an index. */
const readyOrdersSql = (since: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
    select o.* from orders o where o.store_id = s.id and (o.has_ended or o.fully_refunded) and o.created_at >= ${since} - interval '1 day'
    union all select o.* from orders o where o.store_id = s.id and o.is_live and not o.fully_refunded
  ) o`;

const isNowSql = sql.fragment`o.order_type = 'collect' and o.collection_mode = 'now' and o.ready_at > o.paid_at`;
const isKeptSql = sql.fragment`o.ready_at between o.ready_from and o.ready_to`;

const Known = z.object({
  items: z.array(z.string()),
  hour: z.number(),
  ahead: z.number().nullable(),
  minutes: z.number(),
  quoted: z.boolean(),
  kept: z.boolean(),
});

/** Reads the orders to collect now that were ready in the last days at the store, today included. */
export const readKnownOrders = (
  queries: Queries,
  { storeId, now, days }: { readonly storeId: string; readonly now: Date; readonly days: number },
): Promise<readonly z.output<typeof Known>[]> =>
  queries.any(sql.prepared('read-known-orders', Known)`
    select array(select l.menu_item_id from order_line l where l.order_id = o.id) as items,
      extract(hour from o.paid_at at time zone s.time_zone)::int as hour, o.orders_ahead::int as ahead,
      ceil(extract(epoch from o.ready_at - o.paid_at) / 60)::int as minutes, o.ready_from is not null as quoted, coalesce(${isKeptSql}, false) as kept
    from store s
    cross join lateral (
      select (date_trunc('day', ${now.toISOString()}::timestamptz at time zone s.time_zone) - make_interval(days => ${days - 1})) at time zone s.time_zone as since
    ) span
    cross join lateral ${readyOrdersSql(sql.fragment`span.since`)}
    where s.id = ${storeId} and ${isNowSql} and o.ready_at >= span.since`);

export async function writeReadyTimes(queries: Queries, storeId: string, { learned, quotes, kept }: StoreReadyTimes): Promise<void> {
  await queries.query(sql.prepared('write-ready-times', NoColumns)`
    insert into ready_times as r (store_id, learned, quotes, kept)
    values (${storeId}, ${learned && JSON.stringify(learned)}::jsonb, ${quotes}, ${kept})
    on conflict (store_id) do update set learned = excluded.learned, quotes = excluded.quotes, kept = excluded.kept
    where (r.learned, r.quotes, r.kept) is distinct from (excluded.learned, excluded.quotes, excluded.kept)`);
}

const Week = z.object({
  week: z.string(),
  quotes: z.number(),
  kept: z.number(),
  early: z.number(),
  late: z.number(),
});

/** Reads kept quotes by the week of being ready, this one first. A week begins on Monday at the store. Null for an unknown store. */
export const readReadyWeeks = (
  queries: Queries,
  { storeId, weeks, now }: { readonly storeId: string; readonly weeks: number; readonly now: Date },
): Promise<{ readonly weeks: z.output<typeof Week>[] } | null> =>
  queries.maybeOne(sql.prepared('read-ready-weeks', z.object({ weeks: z.array(Week) }))`
    select coalesce((select jsonb_agg(to_jsonb(w) order by w.week desc) from (
      select to_char(date_trunc('week', o.ready_at at time zone s.time_zone), 'YYYY-MM-DD') as week, count(*)::int as quotes,
        count(*) filter (where ${isKeptSql})::int as kept, count(*) filter (where o.ready_at < o.ready_from)::int as early,
        count(*) filter (where o.ready_at > o.ready_to)::int as late
      from ${readyOrdersSql(sql.fragment`span.since`)}
      where ${isNowSql} and o.ready_from is not null and o.ready_at >= span.since
      group by 1
    ) w), '[]') as weeks
    from store s
    cross join lateral (
      select (date_trunc('week', ${now.toISOString()}::timestamptz at time zone s.time_zone) - make_interval(weeks => ${weeks - 1})) at time zone s.time_zone as since
    ) span
    where s.id = ${storeId}`);
