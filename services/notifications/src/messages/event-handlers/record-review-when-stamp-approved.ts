import { on } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import { recordStampReview } from '../transactions/record-stamp-review.ts';

/** Records that the store approved a stamp that waited, so that its contacts are notified. */
export const recordReviewWhenStampApproved = on(stampApproved, ({ id, data }, tx) =>
  recordStampReview(tx, { eventId: id, stampId: data.stamp_id, storeId: data.store_id, state: 'approved' }),
);
