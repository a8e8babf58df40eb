import { on } from '@corner/chassis';
import { stampPending } from '@corner/contracts';
import { insertWaitingStamp } from '../tables/stamp-reviews.ts';

/** Records that a stamp waits, so that the store is notified. */
export const recordWaitingStampWhenStampPending = on(stampPending, ({ data }, tx) =>
  insertWaitingStamp(tx, { stampId: data.stamp_id, storeId: data.store_id }),
);
