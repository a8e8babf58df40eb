import type { Database, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { MessageContent, StoreMessage } from '../rules/content.ts';
import { nextVersion } from './leases.ts';

const none = z.object({});

/** Whom a message is for: a customer, a contact of a store, or a guest of the queue, whom only the entry names. */
export interface Recipient {
  readonly customerId: string | null;
  readonly contactId: string | null;
  /** The entry of the queue that the message is about; null for every other message. */
  readonly entryRef: string | null;
}

export interface NewMessage {
  readonly id: string;
  readonly recipient: Recipient;
  readonly storeId: string;
  readonly content: NewMessageContent;
  readonly dueAt: Date;
}

export interface NewContent {
  readonly eventId: string;
  readonly sequence: number;
  /** Topics on which the event supersedes older messages. */
  readonly topics: readonly string[];
  /** Empty for an event without a message. */
  readonly messages: readonly NewMessage[];
}

/** The content of a message as it is stored. */
export type NewMessageContent = Pick<MessageContent | StoreMessage, 'template' | 'data' | 'topic' | 'expiresAt'> & {
  readonly channel: 'push' | 'email' | 'sms';
};

/**
 * Records how far an event's topics are, and inserts its messages, in one statement. A message that exists already is left as it is.
 * Locks the topics in the order of their keys, so that two events on the same topics cannot deadlock.
 */
export async function insertContent(tx: Transaction, { eventId, sequence, topics, messages }: NewContent): Promise<void> {
  const dueAt = new Map(messages.map((message) => [message.content.topic, message.dueAt.toISOString()]));
  const topicRows = [...topics].sort().map((key) => ({ key, due_at: dueAt.get(key) ?? null }));
  const upsertedTopics = sql.fragment`
    insert into topic as t (key, newest_sequence, due_at)
    select n.key, ${sequence}, n.due_at
    from jsonb_to_recordset(${sql.jsonb(topicRows)}) as n (key text, due_at timestamptz)
    on conflict (key) do update
    set newest_sequence = greatest(t.newest_sequence, excluded.newest_sequence), due_at = least(t.due_at, excluded.due_at),
        updated_at = ${nextVersion}`;
  await tx.query(sql.prepared('insert-content', none)`
    with upserted_topics as (${upsertedTopics})
    insert into message (id, event_id, customer_id, contact_id, entry_ref, store_id, channel, template, data, topic, sequence, due_at,
      expires_at, created_at)
    select m.id, ${eventId}, m.customer_id, m.contact_id, m.entry_ref, m.store_id, m.channel, m.template, m.data, m.topic, ${sequence}, m.due_at, m.expires_at,
      ${tx.now.toISOString()}::timestamptz
    from jsonb_to_recordset(${sql.jsonb(messages.map(rowOf) as never)}) as m (
      id uuid, customer_id uuid, contact_id uuid, entry_ref uuid, store_id uuid, channel text, template text, data jsonb, topic text, due_at timestamptz,
      expires_at timestamptz)
    on conflict do nothing`);
}

const rowOf = ({ id, recipient, storeId, content, dueAt }: NewMessage) => ({
  id,
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
});

/** Whether a message of a template was sent on a topic that is locked, or is perhaps being sent now. */
export const wasSent = (tx: Transaction, topic: string, template: string): Promise<boolean> =>
  tx.exists(sql.prepared('was-sent', none)`
    select from message m join topic t on t.key = m.topic
    where m.topic = ${topic} and m.template = ${template}
      and (m.state = 'sent' or (m.state = 'pending' and t.lease_token is not null))`);

/** Makes a failed message pending again, due at once and with no attempts. Returns false when there is no failed message of this id. */
export async function reopenMessage(tx: Transaction, id: string): Promise<boolean> {
  const now = tx.now.toISOString();
  const { rowCount } = await tx.query(sql.prepared('reopen-message', none)`
    with due_topic as (
      update topic t set due_at = least(t.due_at, ${now}::timestamptz), updated_at = ${nextVersion}
      from message m where m.id = ${id} and m.state = 'failed' and t.key = m.topic
      returning t.key
    )
    update message m set state = 'pending', settled_at = null, reason = null, attempts = 0, due_at = ${now}
    from due_topic
    where m.id = ${id} and m.state = 'failed' and m.topic = due_topic.key`);
  return rowCount > 0;
}

/**
 * Deletes up to `limit` messages settled before an instant, and up to `limit` topics not updated since that have no message left. A failed
 * message is kept while its dead letter is open. Returns the greater of the two numbers.
 */
export const deleteOldMessages = (database: Database, before: Date, limit: number): Promise<number> =>
  database.oneFirst(sql.prepared('delete-old-messages', z.object({ deleted: z.number() }))`
    with messages as (
      delete from message where id in (
        select id from message
        where settled_at < ${before.toISOString()}
          and not exists (select 1 from dead_letter d where d.event_id = message.id and d.settled_at is null)
        order by settled_at limit ${limit}
      ) returning 1
    ), topics as (
      delete from topic where key in (
        select t.key from topic t
        where t.updated_at < ${before.toISOString()} and (select m.id from message m where m.topic = t.key limit 1) is null
        order by t.updated_at limit ${limit} for update skip locked
      ) returning 1
    )
    select greatest((select count(*) from messages), (select count(*) from topics)) as deleted`);
