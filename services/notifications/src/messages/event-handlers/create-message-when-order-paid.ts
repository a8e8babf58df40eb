import { onAll } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { contentForOrderPaid } from '../rules/content-for-orders.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Sends the customer the receipt of a paid order. */
export const createMessageWhenOrderPaid = onAll(orderPaid, (event) => newMessage(event, contentForOrderPaid(event.data)), recordEvents);
