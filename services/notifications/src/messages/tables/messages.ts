import type { Database, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Message } from '../rules/content.ts';

const none = z.object({});

export interface IncomingEvent {
  readonly eventId: string;
  readonly sequence: number;
  /** Topics the event puts what is older out of date of. */
  readonly outdates: readonly string[];
  readonly errand: (Message & { readonly id: string; readonly customerId: string; readonly storeId: string }) | null;
  readonly at: Date;
}

/** Notes how far its topics are by an event, and the errand it makes. An errand made before stays as it is. */
export async function keepErrand(tx: Transaction, { eventId, sequence, outdates, errand, at }: IncomingEvent): Promise<void> {
  const dueAt = errand ? new Date(at.getTime() + errand.waitSeconds * 1000).toISOString() : null;
  // In one order everywhere: two events that speak of the same topics wait for each other instead of deadlocking.
  const topics = [...outdates].sort().map((key) => ({ key, due_at: key === errand?.topic ? dueAt : null }));
  const errands = errand
    ? [
        {
          id: errand.id,
          customer_id: errand.customerId,
          store_id: errand.storeId,
          channel: errand.way,
          template: errand.template,
          facts: errand.facts,
          topic: errand.topic,
          due_at: dueAt,
          expires_at: errand.expiresAt,
        },
      ]
    : [];
  await tx.query(sql.prepared('keep-errand', none)`
    with raised as (
      insert into topic (key, sequence, due_at)
      select t.key, ${sequence}, t.due_at
      from jsonb_to_recordset(${sql.jsonb(topics)}) as t (key text, due_at timestamptz)
      on conflict (key) do update
      set sequence = greatest(topic.sequence, excluded.sequence), due_at = least(topic.due_at, excluded.due_at),
          touched_at = clock_timestamp()
    )
    insert into errand (id, event_id, customer_id, store_id, channel, template, facts, topic, sequence, due_at, expires_at)
    select e.id, ${eventId}, e.customer_id, e.store_id, e.channel, e.template, e.facts, e.topic, ${sequence}, e.due_at, e.expires_at
    from jsonb_to_recordset(${sql.jsonb(errands as never)}) as e (
      id uuid, customer_id uuid, store_id uuid, channel text, template text, facts jsonb, topic text, due_at timestamptz,
      expires_at timestamptz)
    on conflict (event_id, customer_id, channel) do nothing`);
}

export interface Lease {
  readonly token: string;
  readonly now: Date;
  /** Until when the topics are nobody else's. */
  readonly until: Date;
  readonly atMost: number;
}

/** Takes topics for which something is due and which nobody has in hand. Answers their keys. */
export const takeTopics = (database: Database, { token, now, until, atMost }: Lease): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('take-topics', z.object({ key: z.string() }))`
    with due as materialized (
      select key from topic
      where due_at <= ${now.toISOString()} and (leased_until is null or leased_until <= ${now.toISOString()})
      order by due_at
      limit ${atMost}
      for update skip locked
    )
    update topic t set lease = ${token}, leased_until = ${until.toISOString()} from due where t.key = due.key returning t.key`);

/** What an errand came to; a `pending` one is tried again at `dueAt`. */
export interface Settlement {
  readonly id: string;
  readonly state: 'pending' | 'sent' | 'muted' | 'superseded' | 'failed';
  readonly reason: string | null;
  readonly attempts: number;
  readonly dueAt: Date;
}

/** Writes down what errands of a topic came to and gives the topic back. Whoever lost the lease meanwhile writes nothing. */
export async function settleTopic(
  tx: Transaction,
  key: string,
  token: string,
  settlements: readonly Settlement[],
  at: Date,
): Promise<boolean> {
  // Locked first, by itself: the next statement then sees every errand that was kept until now.
  const ours = await tx.maybeOne(sql.prepared('lock-topic', none)`select from topic where key = ${key} and lease = ${token} for update`);
  if (!ours) return false;
  const rows = settlements.map(({ dueAt, ...settlement }) => ({ ...settlement, due_at: dueAt.toISOString() }));
  await tx.query(sql.prepared('settle-errands', none)`
    update errand e
    set state = s.state, reason = s.reason, attempts = s.attempts, due_at = s.due_at,
        settled_at = case when s.state = 'pending' then null else ${at.toISOString()}::timestamptz end,
        facts = case when s.state = 'pending' then e.facts else e.facts - 'note' end
    from jsonb_to_recordset(${sql.jsonb(rows)}) as s (id uuid, state text, reason text, attempts smallint, due_at timestamptz)
    where e.id = s.id and e.state = 'pending'`);
  await tx.query(sql.prepared('give-topic-back', none)`
    update topic
    set lease = null, leased_until = null,
        due_at = (select min(e.due_at) from errand e where e.topic = ${key} and e.state = 'pending')
    where key = ${key}`);
  return true;
}

/** Has an errand that was given up sent anew. False when it is not there as failed. */
export async function reopenErrand(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.prepared('reopen-errand', none)`
    with raised as (
      update topic t set due_at = least(t.due_at, ${at.toISOString()}::timestamptz), touched_at = clock_timestamp()
      from errand e where e.id = ${id} and e.state = 'failed' and t.key = e.topic
      returning t.key
    )
    update errand e set state = 'pending', settled_at = null, reason = null, attempts = 0, due_at = ${at.toISOString()}
    from raised
    where e.id = ${id} and e.state = 'failed' and e.topic = raised.key`);
  return rowCount > 0;
}

/**
 * Drops at most so many errands settled before an instant, and as many topics untouched since that have no errand left; a failed one
 * stays while its dead letter is open. Answers the greater number.
 */
export const dropOldErrands = (database: Database, before: Date, atMost: number): Promise<number> =>
  database.oneFirst(sql.prepared('drop-old-errands', z.object({ dropped: z.number() }))`
    with errands as (
      delete from errand where id in (
        select id from errand
        where settled_at < ${before.toISOString()}
          and not exists (select 1 from dead_letter d where d.event_id = errand.id and d.settled_at is null)
        order by settled_at limit ${atMost}
      ) returning 1
    ), topics as (
      delete from topic where key in (
        select t.key from topic t
        where t.touched_at < ${before.toISOString()} and not exists (select 1 from errand e where e.topic = t.key)
        order by t.touched_at limit ${atMost} for update skip locked
      ) returning 1
    )
    select greatest((select count(*) from errands), (select count(*) from topics)) as dropped`);
