import type { Queries } from '@corner/chassis';
import { languages } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ChannelKind } from '../rules/channels.ts';
import type { AttemptResult } from '../rules/delivery.ts';
import type { Template } from '../rules/template-data.ts';
import { Addresses, addressesSql } from './directory.ts';
import { PreferenceRow, preferenceColumns } from './preferences.ts';

/**
 * Null: `customer_id` for a contact of a store, a guest of the queue and an invited person; `contact_id` for all but a contact; `entry_ref`
 * unless the message is about a queue entry or an invitation; `store_name` until a snapshot of the store arrives; `contact_email`, for
 * replies, when no contact has one.
 *
 * `consent` is the sequence of the last event about the customer's preferences at the store, 0 for none. The language is the customer's,
 * else the store's, else English. `email_verified` is false for an address that a customer typed and no sign-in has confirmed.
 */
export const PendingMessage = PreferenceRow.extend({
  ...Addresses.shape,
  id: z.string(),
  event_id: z.string(),
  customer_id: z.string().nullable(),
  contact_id: z.string().nullable(),
  entry_ref: z.string().nullable(),
  store_id: z.string(),
  channel: z.enum(['push', 'email', 'sms']),
  template: z.custom<Template>((name) => typeof name === 'string'),
  data: z.record(z.string(), z.unknown()),
  topic: z.string(),
  attempts: z.number(),
  created_at: z.string(),
  due_at: z.string(),
  expires_at: z.string().nullable(),
  traceparent: z.string().nullable(),
  superseded: z.boolean(),
  store_name: z.string().nullable(),
  time_zone: z.string(),
  currency: z.string(),
  vat_number: z.string().nullable(),
  contact_email: z.string().nullable(),
  consent: z.number(),
  language: z.enum(languages),
  email_verified: z.boolean(),
});
export type PendingMessage = z.output<typeof PendingMessage>;

const pendingMessages = sql.fragment`
  select coalesce(jsonb_agg(to_jsonb(pending) order by pending.sequence, pending.id), '[]') from (
    select m.id, m.event_id, m.customer_id, m.contact_id, m.entry_ref, m.store_id, m.channel, m.template, m.data, m.topic, m.sequence, m.attempts, m.created_at, m.due_at, m.expires_at, m.traceparent,
      m.sequence < l.newest_sequence as superseded, s.name as store_name, coalesce(s.time_zone, 'Europe/London') as time_zone,
      coalesce(s.currency, 'GBP') as currency, s.vat_number, s.contact_email, coalesce(c.language, s.language, 'en') as language,
      coalesce(a.event_sequence, 0) as consent, coalesce(c.email_verified, true) as email_verified, ${preferenceColumns}, ${addressesSql(sql.fragment`m.customer_id`)}
    from message m
    left join store s on s.id = m.store_id
    left join lateral (
      select id, email, phone, push_devices, language, email_verified from customer where id = m.customer_id
      union all
      select id, email, phone, push_devices, null, null from contact where id = m.contact_id
    ) c on true
    left join preference p on p.customer_id = m.customer_id and p.store_id = m.store_id
    left join marketing_ask a on a.customer_id = m.customer_id and a.store_id = m.store_id
    where m.topic = t.key and m.state = 'pending'
  ) pending`;

/** The new version of a topic t: set by every change of it or its messages, and always later than the one before. */
export const nextVersion = sql.fragment`greatest(clock_timestamp(), t.updated_at + interval '1 microsecond')`;

/** Messages of campaigns are leased apart, so that no other message waits behind them while their provider is slow. */
export type Source = 'campaigns' | 'others';

/**
 * `holder` is the `processLock` of the leasing process's platform. A lease that expires before `deadBefore` began some seconds ago: it is
 * taken over when its process is gone. `lost`: leases that this process may hold unknowingly, because the response was lost.
 */
export interface Lease {
  readonly token: string;
  readonly holder: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly deadBefore: Date;
  readonly lost: readonly string[];
  readonly source: Source;
  readonly limit: number;
}

/**
 * `taken_over`: another replica's lease has ended, so that it may have sent a message without recording it. `version` is the topic's when
 * its messages were read; null when it changed meanwhile: then no message was read.
 */
const LeasedTopic = z.object({
  key: z.string(),
  taken_over: z.boolean(),
  version: z.string().nullable(),
  messages: z.array(PendingMessage),
});
export type LeasedTopic = z.output<typeof LeasedTopic>;

/**
 * Leases due topics and reads their pending messages. It reads messages as of its start but a topic as of its lock: of one that changed in
 * between it reads none, and the topic stays due.
 */
export const leaseTopics = (
  database: Queries,
  { token, holder, now, expiresAt, deadBefore, lost, source, limit }: Lease,
): Promise<readonly LeasedTopic[]> =>
  database.any(sql.prepared('lease-topics', LeasedTopic)`
    with due as materialized (
      select key, lease_token is not null as taken_over from topic
      where due_at <= ${now.toISOString()} and (key like 'campaign:%') = ${source === 'campaigns'} and (
        lease_expires_at is null or lease_expires_at <= ${now.toISOString()} or lease_token = any(${sql.array([...lost], 'uuid')})
        -- This gets the shared lock only if no process holds the exclusive one: the holder is gone.
        or (lease_expires_at < ${deadBefore.toISOString()} and pg_try_advisory_xact_lock_shared(lease_holder)))
      order by due_at
      limit ${limit}
      for update skip locked
    ), leased as (
      update topic t set lease_token = ${token}, lease_holder = ${holder}::bigint, lease_expires_at = ${expiresAt.toISOString()}
      from due where t.key = due.key
      returning t.key, due.taken_over, t.updated_at, t.newest_sequence
    )
    select l.key, l.taken_over, t.updated_at::text as version, (${pendingMessages}) as messages
    from leased l
    left join lateral (select key, updated_at from topic where key = l.key and updated_at = l.updated_at limit 1) t on true`);

export interface FinishedMessage extends AttemptResult {
  readonly message: PendingMessage;
  readonly sentChannel: ChannelKind | null;
}

export interface DeliveredTopic extends Pick<LeasedTopic, 'key' | 'version'> {
  readonly results: readonly FinishedMessage[];
  readonly dueAt: Date | null;
}

export interface DeliveredTopics {
  readonly token: string;
  readonly topics: readonly DeliveredTopic[];
  readonly now: Date;
}

const ReturnedTopic = z.object({ key: z.string(), due_at: z.string().nullable() });
export type ReturnedTopic = z.output<typeof ReturnedTopic>;

/**
 * Writes the results of a lease's pending messages and releases the topics, in one statement. Topics of which another lease has taken over
 * are skipped; the others are returned. Staff's note is deleted from finished messages. Keys and ids are arrays as well: joined rows alone
 * are planned as a whole scan while the table is young. Lock order: topics by key, as for events.
 */
export function recordDeliveries(queries: Queries, { token, topics, now }: DeliveredTopics): Promise<readonly ReturnedTopic[]> {
  const topicRows = topics.map(({ key, version, dueAt }) => ({ key, version, due_at: dueAt?.toISOString() ?? null }));
  const keys = sql.array(
    topics.map(({ key }) => key),
    'text',
  );
  const results = topics.flatMap((topic) => topic.results);
  const rows = results.map(({ message, sentChannel, state, reason, attempts, dueAt }) => ({
    id: message.id,
    state,
    reason,
    attempts,
    due_at: dueAt.toISOString(),
    sent_channel: sentChannel,
  }));
  const ids = sql.array(
    results.map(({ message }) => message.id),
    'uuid',
  );
  return queries.any(sql.prepared('record-deliveries', ReturnedTopic)`
    with held as materialized (
      select key from topic where key = any(${keys}) and lease_token = ${token} order by key for update
    ), given_back as (
      update topic t
      set lease_token = null, lease_holder = null, lease_expires_at = null, due_at = case when t.updated_at = s.version then s.due_at else t.due_at end,
          updated_at = ${nextVersion}
      from held, jsonb_to_recordset(${sql.jsonb(topicRows)}) as s (key text, version timestamptz, due_at timestamptz)
      where t.key = any(${keys}) and t.key = held.key and s.key = held.key
      returning t.key, t.due_at
    ), written as (
      update message m
      set state = s.state, reason = s.reason, attempts = s.attempts, due_at = s.due_at, sent_channel = s.sent_channel,
          settled_at = case when s.state = 'pending' then null else ${now.toISOString()}::timestamptz end,
          data = case when s.state = 'pending' then m.data else m.data - 'note' end
      from given_back, jsonb_to_recordset(${sql.jsonb(rows)}) as s (id uuid, state text, reason text, attempts smallint, due_at timestamptz, sent_channel text)
      where m.id = any(${ids}) and m.id = s.id and m.topic = given_back.key and m.state = 'pending'
    )
    select key, due_at from given_back`);
}
