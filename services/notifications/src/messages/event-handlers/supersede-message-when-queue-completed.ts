import { onAll } from '@corner/chassis';
import { queueCompleted } from '@corner/contracts';
import { contentForQueueMove } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Stops a call that has not been sent yet when the visit is completed. */
export const supersedeMessageWhenQueueCompleted = onAll(
  queueCompleted,
  (event) => newMessage(event, contentForQueueMove(event.data)),
  recordEvents,
);
