import { onAll } from '@corner/chassis';
import { queueRecalled } from '@corner/contracts';
import { contentForQueueRecalled } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer or guest that a call which was sent was taken back. A call that has not been sent yet is stopped. */
export const createMessageWhenQueueRecalled = onAll(
  queueRecalled,
  (event) => newMessage(event, contentForQueueRecalled(event.data)),
  recordEvents,
);
