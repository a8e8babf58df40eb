import { onAll } from '@corner/chassis';
import { orderRefunded } from '@corner/contracts';
import { contentForOrderRefunded } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Sends the customer a record of a refund. */
export const createMessageWhenOrderRefunded = onAll(
  orderRefunded,
  (event) => newMessage(event, contentForOrderRefunded(event.data)),
  recordEvents,
);
