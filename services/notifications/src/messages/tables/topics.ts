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

/** Leases topics that are due and that no other replica holds. Returns their keys. */
export const leaseTopics = (database: Database, { token, now, expiresAt, limit }: Lease): Promise<readonly string[]> =>
  database.anyFirst(sql.prepared('lease-topics', z.object({ key: z.string() }))`
    with due as materialized (
      select key from topic
      where due_at <= ${now.toISOString()} and (lease_expires_at is null or lease_expires_at <= ${now.toISOString()})
      order by due_at
      limit ${limit}
      for update skip locked
    )
    update topic t set lease_token = ${token}, lease_expires_at = ${expiresAt.toISOString()} from due where t.key = due.key
    returning t.key`);

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
