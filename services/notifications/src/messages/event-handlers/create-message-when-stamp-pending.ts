import { onAll } from '@corner/chassis';
import { stampPending } from '@corner/contracts';
import { contentForReview } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that their stamp waits for approval. */
export const createMessageWhenStampPending = onAll(
  stampPending,
  (event) => newMessage(event, contentForReview('stamp.pending')(event.data)),
  recordEvents,
);
