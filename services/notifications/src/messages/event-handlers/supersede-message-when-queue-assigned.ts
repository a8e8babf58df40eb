import { onAll } from '@corner/chassis';
import { queueAssigned } from '@corner/contracts';
import { contentForQueueMove } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Stops a call that has not been sent yet when the customer has been seated. */
export const supersedeMessageWhenQueueAssigned = onAll(
  queueAssigned,
  (event) => newMessage(event, contentForQueueMove(event.data)),
  recordEvents,
);
