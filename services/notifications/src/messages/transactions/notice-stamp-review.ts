import type { Transaction } from '@corner/chassis';
import { stampsWaitingTopic } from '../rules/content-for-stores.ts';
import type { Review } from '../tables/event-records.ts';
import { countWaitingStamps, lockDigest, updateDigest } from '../tables/stamp-reviews.ts';
import { supersedeStoreMessages } from './notify-store.ts';

/** Notices that a stamp which waited was reviewed. When it was the store's last one, a digest that has not been sent yet is out of date. */
export async function noticeStampReview(tx: Transaction, { eventId, storeId }: Review): Promise<void> {
  const digest = await lockDigest(tx, storeId);
  if ((await countWaitingStamps(tx, storeId)) > 0) return;
  const sequence = digest.sequence + 1;
  await updateDigest(tx, storeId, { ...digest, sequence });
  await supersedeStoreMessages(tx, { id: eventId, sequence, storeId }, stampsWaitingTopic(storeId));
}
