import { onAll } from '@corner/chassis';
import { queueNoShow } from '@corner/contracts';
import { contentForQueueNoShow } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that they missed their turn. */
export const createMessageWhenQueueNoShow = onAll(
  queueNoShow,
  (event) => newMessage(event, contentForQueueNoShow(event.data)),
  recordEvents,
);
