import { NoColumns, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

/** Computed from a campaign c's customers. `resultDays`: days after a message in which a no is counted. */
export const resultsSql = (resultDays: number): FragmentSqlToken => sql.fragment`(
    select jsonb_build_object(
      'written', count(*) filter (where not r.held_out), 'sent', count(*) filter (where r.outcome = 'sent'),
      'muted', count(*) filter (where r.outcome in ('muted', 'superseded')), 'failed', count(*) filter (where r.outcome = 'failed'),
      'stopped', count(*) filter (where not r.held_out and exists (
        select from consent n where n.customer_id = r.customer_id and n.store_id = r.store_id and n.sequence > r.consent_sequence
          and not n.accepted and n.at <= r.at + make_interval(days => ${resultDays}))),
      'came_back', count(r.came_back_at) filter (where not r.held_out),
      'held_out', count(*) filter (where r.held_out), 'held_out_came_back', count(r.came_back_at) filter (where r.held_out))
    from campaign_recipient r where r.campaign_id = c.id
  )`;

export const findCounted = (queries: Queries, now: Date): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('campaigns-counted', z.object({ id: z.string() }))`
    select id from campaign where results is null and begun_at <= ${now.toISOString()} order by begun_at`);

const Settled = z.object({ looked_at: z.number(), last: z.string().nullable() });

export const settleRecipients = (queries: Queries, { id, after, limit, resultDays }: SettledBatch): Promise<z.output<typeof Settled>> =>
  queries.one(sql.prepared('settle-recipients', Settled)`
    with looked_at as materialized (
      select r.customer_id, r.outcome, r.came_back_at,
        case when r.outcome is null and not r.held_out then (
          select m.state from message m where m.topic = 'campaign:' || r.campaign_id || ':' || r.customer_id and m.state <> 'pending' limit 1
        ) end as now_outcome,
        case when r.came_back_at is null then (
          select i.last_at from interaction i
          where i.customer_id = r.customer_id and i.store_id = r.store_id and i.last_at > r.at
            and i.last_at <= r.at + make_interval(days => ${resultDays})
        ) end as now_back
      from campaign_recipient r where r.campaign_id = ${id} and r.customer_id > ${after} order by r.customer_id limit ${limit}
    ), settled as (
      update campaign_recipient r set outcome = coalesce(r.outcome, l.now_outcome), came_back_at = coalesce(r.came_back_at, l.now_back)
      from looked_at l
      where r.campaign_id = ${id} and r.customer_id = l.customer_id and (l.now_outcome is not null or l.now_back is not null)
    )
    select count(*)::int as looked_at, max(customer_id::text) as last from looked_at`);

interface SettledBatch {
  readonly id: string;
  readonly after: string;
  readonly limit: number;
  readonly resultDays: number;
}

/** Stores the results of a campaign that ended more than `resultDays` and a day ago, when nothing more is counted. */
export async function keepResults(queries: Queries, { id, now, resultDays }: KeptResults): Promise<void> {
  await queries.query(sql.prepared('keep-campaign-results', NoColumns)`
    update campaign c set results = coalesce(c.results, ${resultsSql(resultDays)})
    where c.id = ${id} and c.ended_at <= ${now.toISOString()}::timestamptz - make_interval(days => ${resultDays} + 1)`);
}

interface KeptResults {
  readonly id: string;
  readonly now: Date;
  readonly resultDays: number;
}
