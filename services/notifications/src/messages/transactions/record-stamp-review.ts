import type { Transaction } from '@corner/chassis';
import { stampsWaitingTopic } from '../rules/content-for-stores.ts';
import { countWaitingStamps, lockDigest, updateDigest, updateReviewedStamp } from '../tables/stamp-reviews.ts';
import { supersedeStoreMessages } from './notify-store.ts';

interface Review {
  readonly eventId: string;
  readonly stampId: string;
  readonly storeId: string;
  readonly state: 'approved' | 'rejected';
}

/** Records how a stamp's review ended. When it was the store's last waiting stamp, a digest that has not been sent yet is out of date. */
export async function recordStampReview(tx: Transaction, { eventId, stampId, storeId, state }: Review): Promise<void> {
  if (!(await updateReviewedStamp(tx, { stampId, storeId }, state))) return;
  const digest = await lockDigest(tx, storeId);
  if ((await countWaitingStamps(tx, storeId)) > 0) return;
  const sequence = digest.sequence + 1;
  await updateDigest(tx, storeId, { ...digest, sequence });
  await supersedeStoreMessages(tx, { id: eventId, sequence, storeId }, stampsWaitingTopic(storeId));
}
