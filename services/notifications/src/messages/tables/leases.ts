import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Settlement } from '../rules/settlement.ts';
import { PendingMessage, pendingMessages } from './pending-messages.ts';

/** The new version of a topic t. Every change of a topic or its messages sets one, later than the one before whatever the clock says. */
export const nextVersion = sql.fragment`greatest(clock_timestamp(), t.updated_at + interval '1 microsecond')`;

export interface Lease {
  readonly token: string;
  /** The lock of the process that leases: `processLock` of its platform. */
  readonly holder: string;
  readonly now: Date;
  readonly expiresAt: Date;
  /** A lease that expires before this is taken over when its process is dead. */
  readonly deadBefore: Date;
  /** Leases that this process may have got and does not know of, because the response was lost. */
  readonly lost: readonly string[];
  /** Topics to lease at most. */
  readonly limit: number;
}

const LeasedTopic = z.object({
  key: z.string(),
  /** Whether another replica's lease has ended, so that it may have sent a message without recording it. */
  taken_over: z.boolean(),
  /** The topic's version when its messages were read. Null when it changed meanwhile: then no message was read. */
  version: z.string().nullable(),
  messages: z.array(PendingMessage),
});
export type LeasedTopic = z.output<typeof LeasedTopic>;

/**
 * Leases topics that are due and that no other replica holds, and reads their pending messages. The statement reads messages as of its
 * start, and a topic as of its lock: of a topic that changed in between it reads none, and the topic stays due.
 */
export const leaseTopics = (
  database: Queries,
  { token, holder, now, expiresAt, deadBefore, lost, limit }: Lease,
): Promise<readonly LeasedTopic[]> =>
  database.any(sql.prepared('lease-topics', LeasedTopic)`
    with due as materialized (
      select key, lease_token is not null as taken_over from topic
      where due_at <= ${now.toISOString()} and (
        lease_expires_at is null or lease_expires_at <= ${now.toISOString()} or lease_token = any(${sql.array([...lost], 'uuid')})
        -- A shared lock is had only when the process that holds the exclusive one is gone.
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

/** What became of a pending message. */
export interface SettledMessage extends Settlement {
  readonly message: PendingMessage;
}

/** What became of a leased topic. */
export interface DeliveredTopic extends Pick<LeasedTopic, 'key' | 'version'> {
  readonly settled: readonly SettledMessage[];
  /** When the next of its messages is due; null when none is pending. */
  readonly dueAt: Date | null;
}

/** Topics of one lease. */
export interface DeliveredTopics {
  readonly token: string;
  readonly topics: readonly DeliveredTopic[];
  readonly now: Date;
}

const SettledTopic = z.object({ key: z.string(), due_at: z.string().nullable() });
export type SettledTopic = z.output<typeof SettledTopic>;

/**
 * Writes what became of a lease's messages that are still pending, and gives the topics back, in one statement. A topic to which a message
 * was added meanwhile stays due. Skips topics whose lease has passed to another replica and returns the others. Staff's note is deleted
 * from the data of a message that is settled. Keys and ids are arrays as well, because a join with the rows alone is planned as a scan of
 * the whole table while it is young.
 */
export function settleTopics(queries: Queries, { token, topics, now }: DeliveredTopics): Promise<readonly SettledTopic[]> {
  const topicRows = topics.map(({ key, version, dueAt }) => ({ key, version, due_at: dueAt?.toISOString() ?? null }));
  const keys = sql.array(
    topics.map(({ key }) => key),
    'text',
  );
  const settled = topics.flatMap((topic) => topic.settled);
  const rows = settled.map(({ message, state, reason, attempts, dueAt }) => ({
    id: message.id,
    state,
    reason,
    attempts,
    due_at: dueAt.toISOString(),
  }));
  const ids = sql.array(
    settled.map(({ message }) => message.id),
    'uuid',
  );
  // Events lock topics in the order of their keys as well.
  const held = sql.fragment`
    select key from topic where key = any(${keys}) and lease_token = ${token} order by key for update`;
  const given = sql.fragment`
    update topic t
    set lease_token = null, lease_holder = null, lease_expires_at = null, due_at = case when t.updated_at = s.version then s.due_at else t.due_at end,
        updated_at = ${nextVersion}
    from held, jsonb_to_recordset(${sql.jsonb(topicRows)}) as s (key text, version timestamptz, due_at timestamptz)
    where t.key = any(${keys}) and t.key = held.key and s.key = held.key
    returning t.key, t.due_at`;
  const written = sql.fragment`
    update message m
    set state = s.state, reason = s.reason, attempts = s.attempts, due_at = s.due_at,
        settled_at = case when s.state = 'pending' then null else ${now.toISOString()}::timestamptz end,
        data = case when s.state = 'pending' then m.data else m.data - 'note' end
    from given, jsonb_to_recordset(${sql.jsonb(rows)}) as s (id uuid, state text, reason text, attempts smallint, due_at timestamptz)
    where m.id = any(${ids}) and m.id = s.id and m.topic = given.key and m.state = 'pending'`;
  return queries.any(sql.prepared('settle-topics', SettledTopic)`
    with held as materialized (${held}), given as (${given}), written as (${written})
    select key, due_at from given`);
}
