import { on } from '@corner/chassis';
import { orderStatusChanged } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForStatusChanged } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that an order which is not collected is ready. */
export const createMessageWhenStatusChanged = on(orderStatusChanged, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForStatusChanged(event.data), messageSignal),
);
