import { onAll } from '@corner/chassis';
import { orderCancelled } from '@corner/contracts';
import { contentForOrderCancelled } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that their paid order was cancelled. */
export const createMessageWhenOrderCancelled = onAll(
  orderCancelled,
  (event) => newMessage(event, contentForOrderCancelled(event.data)),
  recordEvents,
);
