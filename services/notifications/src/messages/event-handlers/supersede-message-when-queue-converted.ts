import { onAll } from '@corner/chassis';
import { queueConverted } from '@corner/contracts';
import { contentForQueueMove } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Stops a call that has not been sent yet when the entry becomes an appointment. */
export const supersedeMessageWhenQueueConverted = onAll(
  queueConverted,
  (event) => newMessage(event, contentForQueueMove(event.data)),
  recordEvents,
);
