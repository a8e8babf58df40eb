import { onAll } from '@corner/chassis';
import { orderFulfilmentChanged } from '@corner/contracts';
import { contentForFulfilmentChanged } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that their order is accepted or ready to collect. */
export const createMessageWhenFulfilmentChanged = onAll(
  orderFulfilmentChanged,
  (event) => newMessage(event, contentForFulfilmentChanged(event.data)),
  recordEvents,
);
