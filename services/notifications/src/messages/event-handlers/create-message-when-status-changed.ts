import { onAll } from '@corner/chassis';
import { orderStatusChanged } from '@corner/contracts';
import { contentForStatusChanged } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that an order which is not collected is ready. */
export const createMessageWhenStatusChanged = onAll(
  orderStatusChanged,
  (event) => newMessage(event, contentForStatusChanged(event.data)),
  recordEvents,
);
