import { on } from '@corner/chassis';
import { orderCancelled } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForOrderCancelled } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that their paid order was cancelled. */
export const createMessageWhenOrderCancelled = on(orderCancelled, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForOrderCancelled(event.data), messageSignal),
);
