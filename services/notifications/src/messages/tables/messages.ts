import { type Database, NoColumns, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { MessageContent, StoreMessage } from '../rules/content.ts';
import { nextVersion } from './leases.ts';

interface Recipient {
  readonly customerId: string | null;
  readonly contactId: string | null;
  readonly entryRef: string | null;
}

export interface NewMessage {
  readonly id: string;
  readonly recipient: Recipient;
  readonly storeId: string;
  readonly content: NewMessageContent;
  readonly dueAt: Date;
}

type NewMessageContent = Pick<MessageContent | StoreMessage, 'template' | 'data' | 'topic' | 'expiresAt'> & {
  readonly channel: 'push' | 'email' | 'sms';
};

/** True also for a message that is perhaps being sent now. The topic must be locked. */
export const wasSent = (tx: Transaction, topic: string, template: string): Promise<boolean> =>
  tx.oneFirst(sql.prepared('was-sent', z.object({ found: z.boolean() }))`
    select exists (
      select from message m join topic t on t.key = m.topic
      where m.topic = ${topic} and m.template = ${template}
        and (m.state = 'sent' or (m.state = 'pending' and t.lease_token is not null))) as found`);

/** Due at once and with no attempts. Returns false when there is no failed message of this id. */
export async function reopenMessage(tx: Transaction, id: string): Promise<boolean> {
  const now = tx.now.toISOString();
  const { rowCount } = await tx.query(sql.prepared('reopen-message', NoColumns)`
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
 * Deletes up to `limit` messages finished, and topics without messages not updated, before an instant. A failed one stays while its dead
 * letter is open. Returns the greater number.
 */
export const deleteOldMessages = (database: Database, before: Date, limit: number): Promise<number> =>
  database.oneFirst(sql.prepared('delete-old-messages', z.object({ deleted: z.number() }))`
    with messages as (
      delete from message where id = any(array(
        select id from message
        where settled_at < ${before.toISOString()}
          and not exists (select 1 from dead_letter d where d.event_id = message.id and d.settled_at is null)
        order by settled_at limit ${limit}
      )) returning 1
    ), topics as (
      delete from topic where key = any(array(
        select t.key from topic t
        where t.updated_at < ${before.toISOString()} and (select m.id from message m where m.topic = t.key limit 1) is null
        order by t.updated_at limit ${limit} for update skip locked
      )) returning 1
    )
    select greatest((select count(*) from messages), (select count(*) from topics)) as deleted`);
