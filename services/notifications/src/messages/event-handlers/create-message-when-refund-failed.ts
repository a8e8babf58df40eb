import { onAll } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import { contentForRefundFailed } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that a refund which had been accepted did not arrive, and stops a message about it that has not been sent yet. */
export const createMessageWhenRefundFailed = onAll(
  orderRefundFailed,
  (event) => newMessage(event, contentForRefundFailed(event.data)),
  recordEvents,
);
