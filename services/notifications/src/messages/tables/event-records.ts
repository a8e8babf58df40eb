import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { type StoreEvent, waitingEventsSql } from '../../subscriptions/index.ts';
import { nextVersion } from './leases.ts';
import type { NewMessage } from './messages.ts';

export interface EventRecords {
  readonly contents: readonly TopicChange[];
  readonly interactions?: readonly Interaction[];
  readonly reviews?: readonly Review[];
  readonly publicEvents?: readonly StoreEvent[];
}

export interface TopicChange {
  readonly eventId: string;
  readonly sequence: number;
  readonly traceparent?: string | undefined;
  readonly topics: readonly string[];
  readonly messages: readonly NewMessage[];
}

export interface Interaction {
  readonly customerId: string;
  readonly storeId: string;
  readonly at: string;
}

export interface Review {
  readonly eventId: string;
  readonly stampId: string;
  readonly storeId: string;
  readonly state: 'approved' | 'rejected';
}

const Recorded = z.object({
  due_times: z.array(z.string()),
  reviewed_stamps: z.array(z.string()),
  waiting_events: z.number(),
});
export type Recorded = z.output<typeof Recorded>;

/**
 * Records events in one statement: topics, messages, interactions, reviews and public events. Existing rows stay. Rows are written in the
 * order of keys, so that batches cannot deadlock. A message to a customer without an address is muted at once; a queue guest's is not,
 * since the queue may have a number.
 */
export async function insertEventRecords(
  tx: Transaction,
  { contents, interactions = [], reviews = [], publicEvents = [] }: EventRecords,
): Promise<Recorded> {
  const now = sql.fragment`${tx.now.toISOString()}::timestamptz`;
  const messages = contents.flatMap(({ messages, ...event }) => messages.map((message) => messageRow(event, message)));
  const topics = contents.flatMap(({ topics, sequence }) => topics.map((key) => ({ key, sequence })));
  return await tx.one(sql.prepared('insert-event-records', Recorded)`
    with given as materialized (
      select g.*, g.customer_id is not null and g.entry_ref is null and not (coalesce((
        select coalesce(c.email, '') <> '' or coalesce(c.phone, '') <> '' or c.push_devices <> '[]'::jsonb from customer c where c.id = g.customer_id
      ), false) or coalesce((select true from device d where d.customer_id = g.customer_id limit 1), false)) as unreachable
      from jsonb_to_recordset(${sql.jsonb(messages)}) as g (
        id uuid, event_id uuid, sequence bigint, customer_id uuid, contact_id uuid, entry_ref uuid, store_id uuid, channel text, template text,
        data jsonb, topic text, due_at timestamptz, expires_at timestamptz, traceparent text)
    ), topics as (
      insert into topic as t (key, newest_sequence, due_at)
      select n.key, max(n.sequence), min(given.due_at)
      from jsonb_to_recordset(${sql.jsonb(topics)}) as n (key text, sequence bigint)
      left join given on given.topic = n.key and not given.unreachable
      group by n.key order by n.key
      on conflict (key) do update
      set newest_sequence = greatest(t.newest_sequence, excluded.newest_sequence), due_at = least(t.due_at, excluded.due_at),
          updated_at = ${nextVersion}
    ), created as (
      insert into message (id, event_id, customer_id, contact_id, entry_ref, store_id, channel, template, data, topic, sequence, due_at, expires_at,
        traceparent, created_at, state, reason, settled_at)
      select id, event_id, customer_id, contact_id, entry_ref, store_id, channel, template, case when unreachable then data - 'note' else data end,
        topic, sequence, due_at, expires_at, traceparent, ${now}, case when unreachable then 'muted' else 'pending' end,
        case when unreachable then 'unreachable' end, case when unreachable then ${now} end
      from given
      on conflict do nothing
      returning state, due_at
    ), interactions as (${interactionsSql(interactions)}), reviewed as (${reviewsSql(reviews, tx.now)}), waiting as (${waitingEventsSql(publicEvents)})
    select coalesce((select jsonb_agg(distinct due_at) from created where state = 'pending'), '[]') as due_times,
      coalesce((select jsonb_agg(stamp_id) from reviewed where waited), '[]') as reviewed_stamps,
      (select count(*) from waiting) as waiting_events`);
}

/** Late and repeated events can only widen the recorded span of time. */
const interactionsSql = (interactions: readonly Interaction[]) => sql.fragment`
  insert into interaction as i (customer_id, store_id, first_at, last_at)
  select n."customerId", n."storeId", min(n.at), max(n.at)
  from jsonb_to_recordset(${sql.jsonb(interactions)}) as n ("customerId" uuid, "storeId" uuid, at timestamptz)
  group by 1, 2 order by 1, 2
  on conflict (customer_id, store_id) do update
  set first_at = least(i.first_at, excluded.first_at), last_at = greatest(i.last_at, excluded.last_at)
  where excluded.first_at < i.first_at or excluded.last_at > i.last_at`;

/** Marks stamps as reviewed, also unknown ones, so that a late event about their wait does not make them wait. */
const reviewsSql = (reviews: readonly Review[], now: Date) => sql.fragment`
  insert into stamp_review as r (stamp_id, store_id, state, changed_at, reported_at)
  select distinct on (n."stampId") n."stampId", n."storeId", n.state, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
  from jsonb_to_recordset(${sql.jsonb(reviews)}) as n ("stampId" uuid, "storeId" uuid, state text)
  order by 1
  on conflict (stamp_id) do update set state = excluded.state, changed_at = excluded.changed_at where r.state = 'waiting'
  returning stamp_id, reported_at is null as waited`;

const messageRow = (
  { eventId, sequence, traceparent }: Pick<TopicChange, 'eventId' | 'sequence' | 'traceparent'>,
  { id, recipient, storeId, content, dueAt }: NewMessage,
) => ({
  id,
  event_id: eventId,
  sequence,
  customer_id: recipient.customerId,
  contact_id: recipient.contactId,
  entry_ref: recipient.entryRef,
  store_id: storeId,
  channel: content.channel,
  template: content.template,
  data: content.data,
  topic: content.topic,
  due_at: dueAt.toISOString(),
  expires_at: content.expiresAt,
  traceparent: traceparent ?? null,
});
