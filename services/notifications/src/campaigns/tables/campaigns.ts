import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { type ChangedBy, campaignsInMonth } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Audience, CampaignState } from '../rules.ts';
import { resultsSql } from './results.ts';

const count = z.number();

const Results = z.object({
  written: count,
  sent: count,
  muted: count,
  failed: count,
  stopped: count,
  came_back: count,
  held_out: count,
  held_out_came_back: count,
});

const Campaign = z.object({
  id: z.string(),
  audience: z.custom<Audience>((value) => typeof value === 'object'),
  title: z.string(),
  body: z.string(),
  state: z.custom<CampaignState>((value) => typeof value === 'string'),
  by: z.object({ id: z.string(), name: z.string().nullable() }),
  made_at: z.string(),
  begun_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  results: Results,
});
export type Campaign = z.output<typeof Campaign>;

const campaignColumns = (resultDays: number): FragmentSqlToken => sql.fragment`
  c.id, c.audience, c.title, c.body, c.state, jsonb_build_object('id', c.by_id, 'name', c.by_name) as by,
  ${instantOf(sql.fragment`c.made_at`)} as made_at, ${instantOf(sql.fragment`c.begun_at`)} as begun_at,
  ${instantOf(sql.fragment`c.ended_at`)} as ended_at, coalesce(c.results, ${resultsSql(resultDays)}) as results`;

export const findCampaign = (queries: Queries, storeId: string, id: string, resultDays: number): Promise<Campaign | null> =>
  queries.maybeOne(sql.prepared('find-campaign', Campaign)`
    select ${campaignColumns(resultDays)} from campaign c where c.id = ${id} and c.store_id = ${storeId}`);

export const listCampaigns = (
  queries: Queries,
  storeId: string,
  { limit, resultDays }: ListQuery,
): Promise<{ campaigns: Campaign[] } | null> =>
  queries.maybeOne(sql.prepared('list-campaigns', z.object({ campaigns: z.array(Campaign) }))`
    select coalesce((select jsonb_agg(to_jsonb(l) order by l.made_at desc, l.id) from (
      select ${campaignColumns(resultDays)} from campaign c where c.store_id = s.id order by c.made_at desc limit ${limit}
    ) l), '[]') as campaigns
    from store s where s.id = ${storeId}`);

interface ListQuery {
  readonly limit: number;
  readonly resultDays: number;
}

export interface NewCampaign {
  readonly id: string;
  readonly storeId: string;
  readonly audience: Audience;
  readonly title: string;
  readonly body: string;
  readonly by: ChangedBy;
}

/** A repeat under the id changes nothing. Returns false for an unknown store. */
export const insertCampaign = async (tx: Transaction, { id, storeId, audience, title, body, by }: NewCampaign): Promise<boolean> =>
  tx.oneFirst(sql.prepared('insert-campaign', z.object({ known: z.boolean() }))`
    with added as (
      insert into campaign (id, store_id, audience, title, body, by_id, by_name, made_at)
      select ${id}, s.id, ${sql.jsonb(audience)}, ${title}, ${body}, ${by.id}, ${by.name}, ${tx.now.toISOString()}
      from store s where s.id = ${storeId}
      on conflict (id) do nothing
    )
    select exists (select from store where id = ${storeId}) as known`);

/**
 * Joins the customers p whom a store may write to now: the last answer n is a yes, the store is not muted, the customer is not erased, had
 * fewer campaigns than a month allows, and is in the audience. Cards and vouchers belong to the store's programme, which may be another
 * store's. A statement that writes a message includes this, so there is no moment between consent and message.
 */
const consentingSql = sql.fragment`
  cross join lateral (
    select sequence, accepted from consent n where n.customer_id = p.customer_id and n.store_id = p.store_id order by n.sequence desc limit 1
  ) n`;

const programmeSql = sql.fragment`coalesce((select m.programme_id from programme_store m where m.store_id = p.store_id), p.store_id)`;

const mayBeWrittenTo = (audience: Audience, now: Date): FragmentSqlToken => sql.fragment`
  n.accepted and not p.messages_muted and not coalesce((select true from erased_customer e where e.customer_id = p.customer_id limit 1), false)
  and (
    select count(*) from campaign_recipient r
    where r.customer_id = p.customer_id and r.store_id = p.store_id and not r.held_out and r.at > ${now.toISOString()}::timestamptz - interval '30 days'
  ) < ${campaignsInMonth}
  and case ${audience.kind}
    when 'everyone' then true
    when 'one_stamp_to_go' then coalesce((
      select d.stamps = d.goal - 1 from pass_card d where d.customer_id = p.customer_id and d.store_id = ${programmeSql} limit 1
    ), false)
    when 'reward_waiting' then coalesce((
      select true from pass_voucher v where v.customer_id = p.customer_id and v.store_id = ${programmeSql} and v.state = 'active' limit 1
    ), false)
    when 'not_seen' then coalesce((
      select i.last_at from interaction i where i.customer_id = p.customer_id and i.store_id = p.store_id
    ), '-infinity') < ${now.toISOString()}::timestamptz - make_interval(days => ${audience.kind === 'not_seen' ? audience.days : 0})
  end`;

export const countAudience = (queries: Queries, storeId: string, audience: Audience, now: Date): Promise<number> =>
  queries.oneFirst(sql.prepared('count-audience', z.object({ count }))`
    select count(*)::int as count from preference p ${consentingSql}
    where p.store_id = ${storeId} and p.marketing_enabled and ${mayBeWrittenTo(audience, now)}`);

export async function updateState(
  tx: Transaction,
  id: string,
  { state, holdsOut }: { readonly state: 'sending' | 'stopped'; readonly holdsOut: boolean },
): Promise<void> {
  const now = sql.fragment`${tx.now.toISOString()}::timestamptz`;
  await tx.query(sql.prepared('update-campaign', NoColumns)`
    update campaign set state = ${state}, holds_out = case when ${state} = 'sending' then ${holdsOut} else holds_out end,
      begun_at = case when ${state} = 'sending' then ${now} else begun_at end, ended_at = case when ${state} = 'stopped' then ${now} end
    where id = ${id}`);
}

export const lockCampaign = (tx: Transaction, storeId: string, id: string): Promise<{ state: CampaignState; audience: Audience } | null> =>
  tx.maybeOne(sql.prepared('lock-campaign', Campaign.pick({ state: true, audience: true }))`
    select state, audience from campaign where id = ${id} and store_id = ${storeId} for update`);

const Sending = z.object({ id: z.string(), time_zone: z.string() });

const zoneSql = sql.fragment`coalesce((select s.time_zone from store s where s.id = c.store_id), 'Europe/London')`;

export const findZones = (queries: Queries, now: Date): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('zones-of-campaigns', z.object({ zone: z.string() }))`
    select distinct ${zoneSql} as zone from campaign c where c.state = 'sending' and c.begun_at <= ${now.toISOString()}`);

export const findSending = (queries: Queries, { now, zones, limit }: SendingQuery): Promise<readonly z.output<typeof Sending>[]> =>
  queries.any(sql.prepared('campaigns-being-sent', Sending)`
    select c.id, ${zoneSql} as time_zone from campaign c
    where c.state = 'sending' and c.begun_at <= ${now.toISOString()} and ${zoneSql} = any(${sql.array([...zones], 'text')})
    order by c.begun_at limit ${limit}`);

interface SendingQuery {
  readonly now: Date;
  readonly zones: readonly string[];
  readonly limit: number;
}

const Claimed = z.object({
  id: z.string(),
  store_id: z.string(),
  audience: z.custom<Audience>((value) => typeof value === 'object'),
  last_customer_id: z.string().nullable(),
});
type Claimed = z.output<typeof Claimed>;

/** Locks a campaign that is being sent; null when it no longer is, or another replica has it. */
export const claimSending = (tx: Transaction, id: string): Promise<Claimed | null> =>
  tx.maybeOne(sql.prepared('claim-campaign', Claimed)`
    select id, store_id, audience, last_customer_id from campaign where id = ${id} and coalesce(state, '') = 'sending' for update skip locked`);

const Batch = z.object({ looked_at: z.number(), written: z.number() });

/**
 * Examines the next customers who said yes, and in one statement writes a message to those of the audience or holds them out at random. Ids
 * derive from campaign and customer, so that no one gets two. A message that no channel has taken by `expiresAt` is not sent. Returns the
 * number of customers examined: fewer than a batch means the end.
 */
export const writeBatch = (
  tx: Transaction,
  { id, store_id, audience, last_customer_id }: Claimed,
  { batchSize, expiresAt }: { readonly batchSize: number; readonly expiresAt: Date },
): Promise<z.output<typeof Batch>> => {
  const now = sql.fragment`${tx.now.toISOString()}::timestamptz`;
  const derived = (kind: string) => sql.fragment`md5(${kind} || ':' || c.id || ':' || a.customer_id)::uuid`;
  return tx.one(sql.prepared('write-campaign-batch', Batch)`
    with looked_at as materialized (
      select p.customer_id from preference p
      where p.store_id = ${store_id} and p.marketing_enabled and p.customer_id > coalesce(${last_customer_id}::uuid, '00000000-0000-0000-0000-000000000000')
      order by p.customer_id limit ${batchSize}
    ), added as (
      insert into campaign_recipient (campaign_id, customer_id, store_id, at, held_out, consent_sequence)
      select c.id, p.customer_id, p.store_id, ${now},
        c.holds_out and get_byte(decode(md5(c.id || ':' || p.customer_id), 'hex'), 0) < 26, n.sequence
      from campaign c, looked_at l join preference p on p.customer_id = l.customer_id and p.store_id = ${store_id} and p.marketing_enabled ${consentingSql}
      where c.id = ${id} and ${mayBeWrittenTo(audience, tx.now)}
      on conflict do nothing
      returning customer_id, held_out
    ), topics as (
      insert into topic (key, newest_sequence, due_at)
      select 'campaign:' || ${id} || ':' || a.customer_id, 1, ${now} from added a where not a.held_out order by 1
      on conflict do nothing
    ), written as (
      insert into message (id, event_id, customer_id, store_id, channel, template, data, topic, sequence, due_at, expires_at, created_at)
      select ${derived('message')}, ${derived('campaign')}, a.customer_id, c.store_id, 'push', 'campaign.message',
        jsonb_build_object('title', c.title, 'body', c.body), 'campaign:' || c.id || ':' || a.customer_id, 1, ${now}, ${expiresAt.toISOString()}::timestamptz, ${now}
      from added a, campaign c where c.id = ${id} and not a.held_out
      on conflict do nothing
      returning 1
    ), moved as (
      update campaign set last_customer_id = coalesce((select max(customer_id::text)::uuid from looked_at), last_customer_id),
        state = case when (select count(*) from looked_at) < ${batchSize} then 'sent' else state end,
        ended_at = case when (select count(*) from looked_at) < ${batchSize} then ${now} end
      where id = ${id}
    )
    select (select count(*) from looked_at)::int as looked_at, (select count(*) from written)::int as written`);
};
