import { on } from '@corner/chassis';
import { orderSlotMoved } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForSlotMoved } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer of the earlier time at which they can collect their order. */
export const createMessageWhenSlotMoved = on(orderSlotMoved, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForSlotMoved(event.data), messageSignal),
);
