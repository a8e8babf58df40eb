import { onAll } from '@corner/chassis';
import { orderSlotMoved } from '@corner/contracts';
import { contentForSlotMoved } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer of the earlier time at which they can collect their order. */
export const createMessageWhenSlotMoved = onAll(
  orderSlotMoved,
  (event) => newMessage(event, contentForSlotMoved(event.data)),
  recordEvents,
);
