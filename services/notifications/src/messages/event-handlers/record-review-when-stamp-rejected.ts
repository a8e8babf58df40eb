import { onAll } from '@corner/chassis';
import { stampRejected } from '@corner/contracts';
import { recordEvents, reviewOf } from '../transactions/record-events.ts';

/** Records that the store rejected a stamp that waited, so that its contacts are notified. */
export const recordReviewWhenStampRejected = onAll(stampRejected, (event) => reviewOf(event, 'rejected'), recordEvents);
