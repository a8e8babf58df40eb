import { on } from '@corner/chassis';
import { orderRunningLate } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForRunningLate } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer when their late order is expected. */
export const createMessageWhenOrderRunningLate = on(orderRunningLate, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForRunningLate(event.data), messageSignal),
);
