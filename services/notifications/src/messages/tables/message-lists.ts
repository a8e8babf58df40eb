import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { messageChannels, messageStates } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { Addresses, addressesSql } from './directory.ts';

/** Messages that one page examines: the filters have no index, so that a message costs no more to write. */
const examinedAtMost = 10_000;
const countedAtMost = 20_000;

const ListedMessage = z.object({
  message_id: z.string(),
  created_at: z.string(),
  channel: z.enum(messageChannels),
  state: z.enum(messageStates),
  type: z.string(),
  store_id: z.string(),
  customer_id: z.string().nullable(),
  topic: z.string(),
  attempts: z.number(),
  error: z.string().nullable(),
  sent_at: z.string().nullable(),
  ...Addresses.shape,
});

const Page = z.object({
  messages: z.array(ListedMessage),
  examined_to: z.string().nullable(),
});
export type Page = z.output<typeof Page>;

export interface MessagesQuery {
  readonly customer_id?: string | undefined;
  readonly store_id?: string | undefined;
  readonly channel?: string | undefined;
  readonly state?: string | undefined;
  readonly after?: string | undefined;
}

/** Returns up to `limit` messages, newest first: their ids are in the order of time. */
export const selectNewestMessages = (database: Queries, query: MessagesQuery, limit: number): Promise<Page> =>
  database.one(sql.prepared('select-newest-messages', Page)`
    with examined as materialized (
      select * from message where id < ${query.after ?? last}::uuid order by id desc limit ${examinedAtMost}
    ) ${pageSql(query, limit)}`);

export const selectMessagesOnTopics = (database: Queries, topics: readonly string[], query: MessagesQuery, limit: number): Promise<Page> =>
  database.one(sql.prepared('select-messages-on-topics', Page)`
    with examined as materialized (
      select * from message where topic = any(${sql.array(topics, 'text')}) and id < ${query.after ?? last}::uuid
      order by id desc limit ${examinedAtMost}
    ) ${pageSql(query, limit)}`);

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const pageSql = ({ customer_id, store_id, channel, state }: MessagesQuery, limit: number) => sql.fragment`
  select
    coalesce((select jsonb_agg(to_jsonb(listed) order by message_id desc) from (
      select m.id as message_id, ${instantOf(sql.fragment`m.created_at`)} as created_at, coalesce(m.sent_channel, m.channel) as channel, m.state, m.template as type, m.store_id,
        m.customer_id, m.topic, m.attempts, m.reason as error,
        case when m.state = 'sent' then ${instantOf(sql.fragment`m.settled_at`)} end as sent_at, ${addressesSql(sql.fragment`m.customer_id`)}
      from examined m
      left join lateral (
        select id, email, phone, push_devices from customer where id = m.customer_id
        union all
        select id, email, phone, push_devices from contact where id = m.contact_id
      ) c on true
      where (${customer_id ?? null}::uuid is null or m.customer_id = ${customer_id ?? null}::uuid)
        and (${store_id ?? null}::uuid is null or m.store_id = ${store_id ?? null}::uuid)
        and (${channel ?? null}::text is null or coalesce(m.sent_channel, m.channel) = ${channel ?? null}::text)
        and (${state ?? null}::text is null or m.state = ${state ?? null}::text)
      order by m.id desc limit ${limit}
    ) listed), '[]') as messages,
    case when (select count(*) from examined) = ${examinedAtMost} then (select id from examined order by id limit 1) end as examined_to`;

const Count = z.object({ channel: z.enum(messageChannels), state: z.enum(messageStates), count: z.number() });

export const countMessages = (database: Queries, since: Date): Promise<readonly z.output<typeof Count>[]> =>
  database.any(sql.prepared('count-messages', Count)`
    select channel, state, count(*) from (
      select coalesce(sent_channel, channel) as channel, state, created_at from message order by id desc limit ${countedAtMost}
    ) newest where created_at >= ${since.toISOString()}::timestamptz
    group by channel, state order by channel, state`);

const Fact = z.object({
  at: z.string(),
  sentence: z.string(),
  event_id: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
});

const instant = instantOf(sql.fragment`at`);
const recipient = sql.fragment`
  coalesce('customer ' || m.customer_id, 'a contact of store ' || case when m.contact_id is not null then m.store_id end, case m.template when 'staff.invited' then 'an invited person' else 'a guest of the queue' end)`;

/** Explains the outcomes of messages, found by their own ids or the ids of their events. Contains no text and no address. */
export async function explainMessages(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-messages', Fact)`
    with m as (select * from message where id = any(${uuids}) or event_id = any(${uuids})),
    fact (at, sentence, event_id, store_id, customer_id) as (
      select m.created_at, 'A message (' || m.template || ') by ' || coalesce(m.sent_channel, m.channel) || ' to ' || ${recipient} || ' was created; it is now '
        || m.state || ' after ' || m.attempts || case m.attempts when 1 then ' attempt.' else ' attempts.' end, m.event_id, m.store_id, m.customer_id
      from m
      union all
      select m.settled_at, 'The message (' || m.template || ') to ' || ${recipient} || ' was ' || m.state || coalesce(': ' || m.reason, '') || '.', m.event_id, m.store_id, m.customer_id
      from m where m.settled_at is not null
    )
    select ${instant} as at, sentence, event_id, store_id, customer_id from fact order by at limit 500`);
  return { facts, also: [] };
}
