import { onAll } from '@corner/chassis';
import { orderRunningLate } from '@corner/contracts';
import { contentForRunningLate } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer when their late order is expected. */
export const createMessageWhenOrderRunningLate = onAll(
  orderRunningLate,
  (event) => newMessage(event, contentForRunningLate(event.data)),
  recordEvents,
);
