import { type Database, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

interface StampOfStore {
  readonly stampId: string;
  readonly storeId: string;
}

/** A stamp that is known already stays as it is: no state precedes waiting. */
export async function insertWaitingStamp(tx: Transaction, { stampId, storeId }: StampOfStore): Promise<void> {
  await tx.query(sql.prepared('insert-waiting-stamp', NoColumns)`
    insert into stamp_review (stamp_id, store_id, state, changed_at) values (${stampId}, ${storeId}, 'waiting', ${tx.now.toISOString()})
    on conflict do nothing`);
}

const Digest = z.object({ sequence: z.number(), waiting_notified_at: z.string().nullable() });
export type Digest = z.output<typeof Digest>;

/** Every change of a store's digests, and every count for one, begins with this lock. */
export const lockDigest = async (tx: Transaction, storeId: string): Promise<Digest> =>
  await tx.one(sql.prepared('lock-stamp-digest', Digest)`
    insert into stamp_digest (store_id) values (${storeId})
    on conflict (store_id) do update set sequence = stamp_digest.sequence
    returning sequence, waiting_notified_at`);

export async function updateDigest(tx: Transaction, storeId: string, { sequence, waiting_notified_at }: Digest): Promise<void> {
  await tx.query(sql.prepared('update-stamp-digest', NoColumns)`
    update stamp_digest set sequence = ${sequence}, waiting_notified_at = ${waiting_notified_at} where store_id = ${storeId}`);
}

export const countWaitingStamps = async (tx: Transaction, storeId: string): Promise<number> =>
  await tx.oneFirst(sql.prepared('count-waiting-stamps', z.object({ waiting: z.number() }))`
    select count(*) as waiting from stamp_review where store_id = ${storeId} and state = 'waiting'`);

const Reviews = z.object({ approved: z.number(), rejected: z.number() });
export type Reviews = z.output<typeof Reviews>;

export const markReviewsReported = async (tx: Transaction, storeId: string): Promise<Reviews> =>
  await tx.one(sql.prepared('mark-reviews-reported', Reviews)`
    with reported as (
      update stamp_review set reported_at = ${tx.now.toISOString()}
      where store_id = ${storeId} and state <> 'waiting' and reported_at is null
      returning state
    )
    select count(*) filter (where state = 'approved') as approved, count(*) filter (where state = 'rejected') as rejected from reported`);

/**
 * Reviews are reported when none has followed since `quietSince`, or the oldest one is as old as `reviewedBefore`; waiting stamps, when the
 * last notice is older than `notifiedBefore`.
 */
export interface DigestTimes {
  readonly quietSince: Date;
  readonly reviewedBefore: Date;
  readonly notifiedBefore: Date;
}

const DueDigest = z.object({ store_id: z.string(), reviews: z.boolean(), waiting: z.boolean() });
export type DueDigest = z.output<typeof DueDigest>;

export const selectDueDigests = (database: Queries, { quietSince, reviewedBefore, notifiedBefore }: DigestTimes) =>
  database.any(sql.prepared('select-due-digests', DueDigest)`
    select store_id, bool_or(reviews) as reviews, bool_or(waiting) as waiting
    from (
      select store_id, true as reviews, false as waiting from stamp_review where state <> 'waiting' and reported_at is null
      group by store_id
      having max(changed_at) <= ${quietSince.toISOString()} or min(changed_at) <= ${reviewedBefore.toISOString()}
      union all
      select r.store_id, false, true from stamp_review r left join stamp_digest d on d.store_id = r.store_id
      where r.state = 'waiting' and (d.waiting_notified_at is null or d.waiting_notified_at <= ${notifiedBefore.toISOString()})
      group by r.store_id
    ) due
    group by store_id`);

export const deleteOldReviews = async (database: Database, before: Date, limit: number): Promise<number> =>
  (
    await database.query(sql.prepared('delete-old-reviews', NoColumns)`
      delete from stamp_review where stamp_id in (
        select stamp_id from stamp_review where reported_at < ${before.toISOString()} order by reported_at limit ${limit})`)
  ).rowCount;
