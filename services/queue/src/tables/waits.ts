import type { Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

const Kept = z.object({
  /** Entries that were offered a chair. */
  offered: z.number(),
  /** Those that were offered one in time. */
  kept: z.number(),
  /** Minutes by which nine of ten were late at most, below 0 when even those were early. Null without any. */
  late_p90_min: z.number().nullable(),
});
export type Kept = z.output<typeof Kept>;

export interface WeeksQuery {
  readonly storeId: string;
  readonly weeks: number;
  readonly now: Date;
  readonly graceMinutes: number;
}

const Week = Kept.extend({ week: z.string(), quotes: z.number(), left: z.number(), late_median_min: z.number().nullable() });
export type Week = z.output<typeof Week>;

/**
 * The entries of a store since an instant with the minutes by which the chair was late, below 0 for early and null where none was offered. A chair
 * is offered by the last call, or by a seat without one. Each seat is looked up alone.
 */
const quotedSql = (storeId: string, since: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select e.status, e.joined_at, extract(epoch from coalesce(e.called_at, t.seated_at) - e.joined_at) / 60 - e.quoted_wait_min as late
  from entry e cross join lateral (select min(starts_at) as seated_at from seat where entry_ref = e.id) t
  where e.store_id = ${storeId} and e.joined_at >= ${since}`;

/** `graceMinutes`: how much later than quoted a chair may be offered in time. */
const keptSql = (graceMinutes: number): FragmentSqlToken => sql.fragment`
  count(late)::int as offered, count(*) filter (where late <= ${graceMinutes})::int as kept,
  ceil(percentile_disc(0.9) within group (order by late))::int as late_p90_min`;

/** Reads how well the waits of a store were kept that were quoted since an instant. */
export const readKept = (queries: Queries, storeId: string, since: Date, graceMinutes: number): Promise<Kept> =>
  queries.one(sql.prepared('read-kept-waits', Kept)`
    select ${keptSql(graceMinutes)} from (${quotedSql(storeId, sql.fragment`${since.toISOString()}::timestamptz`)}) quoted`);

/**
 * Reads how well the waits of a store were kept in its last weeks, this one first. A week begins on Monday at the store and is named by that
 * day. Null for an unknown store.
 */
export const readWeeks = (queries: Queries, { storeId, weeks, now, graceMinutes }: WeeksQuery): Promise<{ weeks: Week[] } | null> =>
  queries.maybeOne(sql.prepared('read-waits-by-week', z.object({ weeks: z.array(Week) }))`
    select coalesce((select jsonb_agg(to_jsonb(w) order by w.week desc) from (
      select to_char(date_trunc('week', q.joined_at at time zone s.time_zone), 'YYYY-MM-DD') as week, count(*)::int as quotes,
        count(*) filter (where q.late is null and q.status in ('left', 'converted_to_appointment'))::int as left,
        ceil(percentile_disc(0.5) within group (order by q.late))::int as late_median_min, ${keptSql(graceMinutes)}
      from (${quotedSql(
        storeId,
        sql.fragment`(date_trunc('week', ${now.toISOString()}::timestamptz at time zone s.time_zone) - make_interval(weeks => ${weeks - 1})) at time zone s.time_zone`,
      )}) q
      group by 1
    ) w), '[]') as weeks
    from store s where s.id = ${storeId}`);
