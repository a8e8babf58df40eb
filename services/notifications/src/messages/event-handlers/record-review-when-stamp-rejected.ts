import { on } from '@corner/chassis';
import { stampRejected } from '@corner/contracts';
import { recordStampReview } from '../transactions/record-stamp-review.ts';

/** Records that the store rejected a stamp that waited, so that its contacts are notified. */
export const recordReviewWhenStampRejected = on(stampRejected, ({ id, data }, tx) =>
  recordStampReview(tx, { eventId: id, stampId: data.stamp_id, storeId: data.store_id, state: 'rejected' }),
);
