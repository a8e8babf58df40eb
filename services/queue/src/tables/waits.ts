import type { Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { KeptQuotes } from '../rules/waits.ts';

const Kept = z.object({
  offered: z.number(),
  kept: z.number(),
});

export const Spread = z.array(z.number()).nullable();

export interface WeeksQuery {
  readonly storeId: string;
  readonly weeks: number;
  readonly now: Date;
  readonly graceMinutes: number;
}

const Week = Kept.extend({
  week: z.string(),
  quotes: z.number(),
  left: z.number(),
  late_median_min: z.number().nullable(),
  late_p90_min: z.number().nullable(),
});
export type Week = z.output<typeof Week>;

const keptSql = (graceMinutes: number): FragmentSqlToken => sql.fragment`
  count(late_min)::int as offered, count(*) filter (where late_min <= ${graceMinutes})::int as kept`;

const spreadSql = ({ fewest }: KeptQuotes): FragmentSqlToken => sql.fragment`
  case when count(late_min) >= ${fewest} then percentile_disc(array[0.1, 0.9]) within group (order by late_min) end`;

const quotedSql = (storeId: string, { since }: KeptQuotes): FragmentSqlToken => sql.fragment`
  from entry where store_id = ${storeId} and joined_at >= ${since.toISOString()}::timestamptz`;

export const spreadOfStoreSql = (storeId: string, quotes: KeptQuotes): FragmentSqlToken => sql.fragment`
  select ${spreadSql(quotes)} ${quotedSql(storeId, quotes)}`;

export const readKept = (queries: Queries, storeId: string, quotes: KeptQuotes) =>
  queries.one(sql.prepared('read-kept-waits', Kept.extend({ spread: Spread }))`
    select ${keptSql(quotes.graceMinutes)}, ${spreadSql(quotes)} as spread ${quotedSql(storeId, quotes)}`);

/** This week first. A week begins on Monday at the store and is named by that day. Null for an unknown store. */
export const readWeeks = (queries: Queries, { storeId, weeks, now, graceMinutes }: WeeksQuery): Promise<{ weeks: Week[] } | null> =>
  queries.maybeOne(sql.prepared('read-waits-by-week', z.object({ weeks: z.array(Week) }))`
    select coalesce((select jsonb_agg(to_jsonb(w) order by w.week desc) from (
      select to_char(date_trunc('week', e.joined_at at time zone s.time_zone), 'YYYY-MM-DD') as week, count(*)::int as quotes,
        count(*) filter (where e.late_min is null and e.status in ('left', 'converted_to_appointment'))::int as left, ${keptSql(graceMinutes)},
        percentile_disc(0.5) within group (order by e.late_min) as late_median_min,
        percentile_disc(0.9) within group (order by e.late_min) as late_p90_min
      from entry e
      where e.store_id = s.id and e.joined_at >= (
        date_trunc('week', ${now.toISOString()}::timestamptz at time zone s.time_zone) - make_interval(weeks => ${weeks - 1})
      ) at time zone s.time_zone
      group by 1
    ) w), '[]') as weeks
    from store s where s.id = ${storeId}`);
