import { onAll } from '@corner/chassis';
import { stampRejected } from '@corner/contracts';
import { contentForReview } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that the store did not approve their stamp. */
export const createMessageWhenStampRejected = onAll(
  stampRejected,
  (event) => newMessage(event, contentForReview('stamp.rejected')(event.data)),
  recordEvents,
);
