import type { Signal, Transaction } from '@corner/chassis';
import { stampsWaitingTopic, storeMessageForStampsReviewed, storeMessageForStampsWaiting } from '../rules/content-for-stores.ts';
import type { Review } from '../tables/event-records.ts';
import { countWaitingStamps, type DueDigest, lockDigest, markReviewsReported, updateDigest } from '../tables/stamp-reviews.ts';
import { notifyStore, supersedeStoreMessages } from './notify-store.ts';

/**
 * Creates the messages about a store's stamps that are due: how many were reviewed, and how many wait for approval. `notifiedBefore` is
 * checked again under the lock, so that two replicas create one message.
 */
export async function sendStampDigests(
  tx: Transaction,
  { store_id: storeId, reviews, waiting }: DueDigest,
  notifiedBefore: Date,
  signal: Signal,
): Promise<void> {
  const digest = await lockDigest(tx, storeId);
  let { sequence, waiting_notified_at } = digest;
  const occasion = () => {
    sequence += 1;
    return { id: tx.newId(), sequence, storeId };
  };
  if (reviews) {
    const counts = await markReviewsReported(tx, storeId);
    if (counts.approved + counts.rejected > 0) {
      const about = occasion();
      await notifyStore(tx, about, storeMessageForStampsReviewed(about.id, counts), signal);
    }
  }
  const stamps =
    waiting && (!waiting_notified_at || new Date(waiting_notified_at) <= notifiedBefore) ? await countWaitingStamps(tx, storeId) : 0;
  if (stamps > 0) {
    await notifyStore(tx, occasion(), storeMessageForStampsWaiting(storeId, stamps), signal);
    waiting_notified_at = tx.now.toISOString();
  }
  if (sequence !== digest.sequence) await updateDigest(tx, storeId, { sequence, waiting_notified_at });
}

/** Notices that a stamp which waited was reviewed. When it was the store's last one, a digest that has not been sent yet is out of date. */
export async function noticeStampReview(tx: Transaction, { eventId, storeId }: Review): Promise<void> {
  const digest = await lockDigest(tx, storeId);
  if ((await countWaitingStamps(tx, storeId)) > 0) return;
  const sequence = digest.sequence + 1;
  await updateDigest(tx, storeId, { ...digest, sequence });
  await supersedeStoreMessages(tx, { id: eventId, sequence, storeId }, stampsWaitingTopic(storeId));
}
