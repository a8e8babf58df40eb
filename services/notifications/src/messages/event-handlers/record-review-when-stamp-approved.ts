import { onAll } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import { recordEvents, reviewOf } from '../transactions/record-events.ts';

/** Records that the store approved a stamp that waited, so that its contacts are notified. */
export const recordReviewWhenStampApproved = onAll(stampApproved, (event) => reviewOf(event, 'approved'), recordEvents);
