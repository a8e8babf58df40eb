import { onAll } from '@corner/chassis';
import { queueCalled } from '@corner/contracts';
import { contentForQueueCalled } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that it is their turn, and until when their place is held. */
export const createMessageWhenQueueCalled = onAll(
  queueCalled,
  (event) => newMessage(event, contentForQueueCalled(event.data)),
  recordEvents,
);
