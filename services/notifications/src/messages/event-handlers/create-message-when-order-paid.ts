import { on } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForOrderPaid } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Sends the customer the receipt of a paid order. */
export const createMessageWhenOrderPaid = on(orderPaid, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForOrderPaid(event.data), messageSignal),
);
