import { onAll } from '@corner/chassis';
import { queueLeft } from '@corner/contracts';
import { contentForQueueLeft } from '../rules/content-for-queue.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/**
 * Informs the customer or guest that the store closed before their turn. One who left gets no message; a call that was not sent yet is
 * stopped.
 */
export const createMessageWhenQueueLeft = onAll(queueLeft, (event) => newMessage(event, contentForQueueLeft(event.data)), recordEvents);
