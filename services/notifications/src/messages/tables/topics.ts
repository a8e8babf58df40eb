import type { Database, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

export interface Lease {
  readonly token: string;
  readonly now: Date;
  readonly expiresAt: Date;
  /** Topics to lease at most. */
  readonly limit: number;
}

const LeasedTopic = z.object({
  key: z.string(),
  /** Whether another replica's lease has expired, so that it may have sent a message without recording it. */
  taken_over: z.boolean(),
});
export type LeasedTopic = z.output<typeof LeasedTopic>;

/** Leases topics that are due and that no other replica holds. */
export const leaseTopics = (database: Database, { token, now, expiresAt, limit }: Lease): Promise<readonly LeasedTopic[]> =>
  database.any(sql.prepared('lease-topics', LeasedTopic)`
    with due as materialized (
      select key, lease_token is not null as taken_over from topic
      where due_at <= ${now.toISOString()} and (lease_expires_at is null or lease_expires_at <= ${now.toISOString()})
      order by due_at
      limit ${limit}
      for update skip locked
    )
    update topic t set lease_token = ${token}, lease_expires_at = ${expiresAt.toISOString()} from due where t.key = due.key
    returning t.key, due.taken_over`);

/** Locks a topic. Returns false when the lease has passed to another replica. */
export const lockLeasedTopic = async (tx: Transaction, key: string, token: string): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('lock-topic', none)`
    select from topic where key = ${key} and lease_token = ${token} for update`)) !== null;

/** Ends the lease of a topic and sets when its next message is due. */
export async function releaseTopic(tx: Transaction, key: string): Promise<void> {
  await tx.query(sql.prepared('release-topic', none)`
    update topic
    set lease_token = null, lease_expires_at = null,
        due_at = (select min(m.due_at) from message m where m.topic = ${key} and m.state = 'pending')
    where key = ${key}`);
}
