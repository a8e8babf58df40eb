import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import type { ReportItem } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { DayFigures } from '../rules/figures.ts';
import type { DaySums } from '../rules/sum-day.ts';

/** The last closed day of a store; the next one begins at `ends_at`. */
export interface ClosedUntil {
  readonly day: string;
  readonly ends_at: string;
}

export interface OpenSpan {
  readonly storeId: string;
  readonly closed: ClosedUntil | null;
  readonly from: string;
  readonly to: string;
}

const ReportedStore = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  account: z.string().nullable(),
  closed: z.object({ day: z.string(), ends_at: z.string() }).nullable(),
});
export type ReportedStore = z.output<typeof ReportedStore>;

export const accountSql = (mode: string): FragmentSqlToken => sql.fragment`
  coalesce(case when coalesce((select c.mode from connected_account c where c.account_id = s.connected_account_id), ${mode}) = ${mode}
    then s.connected_account_id end,
    (select o.account_id from connected_account o where o.store_id = s.id and o.mode = ${mode}))`;

export const findReportedStores = (queries: Queries, ids: readonly string[], mode: string): Promise<readonly ReportedStore[]> =>
  queries.any(sql.prepared('reported-stores', ReportedStore)`
    select s.id, s.code, s.name, s.currency, s.time_zone,
      ${accountSql(mode)} as account,
      (select jsonb_build_object('day', d.day, 'ends_at', ${instantOf(sql.fragment`d.ends_at`)}) from day_report d where d.store_id = s.id
        order by d.day desc limit 1) as closed
    from store s where s.id = any(${sql.array([...ids], 'uuid')}) order by s.name, s.id`);

const ClosedRow = z.object({
  store_id: z.string(),
  day: z.string(),
  figures: z.custom<DayFigures>(),
  items: z.custom<readonly ReportItem[]>(),
});
export type ClosedDay = z.output<typeof ClosedRow>;

/** Reads the sums of closed days of stores. The caller adds up the items: the database takes four times as long to read them. */
export const readClosedDays = (queries: Queries, storeIds: readonly string[], from: string, to: string): Promise<readonly ClosedDay[]> =>
  queries.any(sql.prepared('report-closed-days', ClosedRow)`
    select store_id, day::text as day, figures, items from day_report
    where store_id = any(${sql.array([...storeIds], 'uuid')}) and day between ${from} and ${to}`);

const PayoutRow = z.object({ day: z.string(), count: z.number(), amount_pence: z.number() });

/** Sums the payouts of accounts by the day of their arrival, a few days after the provider made them. */
export const sumPayouts = (queries: Queries, accounts: readonly string[], from: string, to: string) =>
  queries.any(sql.prepared('report-payouts', PayoutRow)`
    select arrives_on::text as day, count(*)::int as count, sum(amount_pence)::int as amount_pence from payout
    where account_id = any(${sql.array([...accounts], 'text')}) and created_at >= ${from}::date - interval '35 days'
      and arrives_on between ${from} and ${to} and status not in ('failed', 'canceled')
    group by 1`);

const Comparison = z.object({
  compared_until: z.string().nullable(),
  oldest_found_at: z.string().nullable(),
  differences: z.number(),
  difference_pence: z.number(),
});

/** Reads how far the ledger was compared with the provider's balance, and the open differences of some stores. */
export const readComparison = (queries: Queries, storeIds: readonly string[]): Promise<z.output<typeof Comparison>> =>
  queries.one(sql.prepared('report-comparison', Comparison)`
    select (select ${instantOf(sql.fragment`read_until`)} from provider_cursor where name = 'movements') as compared_until,
      ${instantOf(sql.fragment`min(d.found_at)`)} as oldest_found_at, count(d.kind)::int as differences,
      coalesce(sum(coalesce(d.provider_pence, 0) - coalesce(d.ledger_pence, 0)), 0)::int as difference_pence
    from ledger_difference d where d.explained_at is null and d.store_id = any(${sql.array([...storeIds], 'uuid')})`);

const ClosedTip = z.object({
  day: z.string(),
  n: z.number(),
  at: z.string(),
  order_id: z.string(),
  order_number: z.string(),
  tip_pence: z.number(),
});

export const readClosedTips = (
  queries: Queries,
  storeId: string,
  { from, to, after, limit }: { readonly from: string; readonly to: string; readonly after: number; readonly limit: number },
): Promise<readonly z.output<typeof ClosedTip>[]> =>
  queries.any(sql.prepared('report-closed-tips', ClosedTip)`
    select d.day::text as day, t.n::int as n, t.tip ->> 'at' as at, t.tip ->> 'order_id' as order_id, t.tip ->> 'order_number' as order_number,
      (t.tip ->> 'tip_pence')::int as tip_pence
    from day_report d cross join lateral jsonb_array_elements(d.tips) with ordinality as t(tip, n)
    where d.store_id = ${storeId} and d.day between ${from} and ${to} and (d.day > ${from} or t.n > ${after})
    order by d.day, t.n limit ${limit}`);

const Closable = z.object({ storeId: z.string(), closed: ReportedStore.shape.closed, from: z.string(), to: z.string() });

/**
 * Reads stores with days to close, after the store with the id `after`: days that ended at least an hour ago, and that the comparison with
 * the provider's balance has passed. A store's first day is that of its first payment. `to` is at most a month later.
 */
export const findClosableDays = (queries: Queries, now: Date, after: string): Promise<readonly OpenSpan[]> =>
  queries.any(sql.prepared('closable-days', Closable)`
    with bound as (
      select least(${now.toISOString()}::timestamptz - interval '1 hour', read_until - interval '15 minutes') as at
      from provider_cursor where name = 'movements'
    )
    select s.id as "storeId", case when last.day is not null then jsonb_build_object('day', last.day, 'ends_at', ${instantOf(sql.fragment`last.ends_at`)}) end as closed,
      first.day::text as "from", least(first.day + 30, (b.at at time zone s.time_zone)::date - 1)::text as "to"
    from bound b cross join store s
    left join lateral (select d.day, d.ends_at from day_report d where d.store_id = s.id order by d.day desc limit 1) last on true
    cross join lateral (
      select coalesce(last.day + 1, (select (l.at at time zone s.time_zone)::date from ledger l where l.store_id = s.id order by l.at limit 1)) as day
    ) first
    where s.id > ${after} and first.day < (b.at at time zone s.time_zone)::date
    order by s.id limit 100`);

/** Writes the sums of an ended day, and returns its end; null when the day was already written, which stays. */
export const writeClosedDay = (
  tx: Transaction,
  { storeId, closed }: OpenSpan,
  { day, figures, items, tips }: DaySums,
): Promise<string | null> =>
  tx.maybeOneFirst(sql.prepared('write-closed-day', z.object({ ends_at: z.string() }))`
    insert into day_report (store_id, day, ends_at, figures, items, tips)
    select s.id, ${day}::date, greatest((${day}::date + 1)::timestamp at time zone s.time_zone, ${closed?.ends_at ?? null}::timestamptz),
      ${sql.jsonb(figures)}, ${sql.jsonb(items)}, ${sql.jsonb(tips)}
    from store s where s.id = ${storeId}
    on conflict do nothing
    returning ${instantOf(sql.fragment`ends_at`)} as ends_at`);
