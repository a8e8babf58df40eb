import { on } from '@corner/chassis';
import { orderFulfilmentChanged } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForFulfilmentChanged } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that their order is accepted or ready to collect. */
export const createMessageWhenFulfilmentChanged = on(orderFulfilmentChanged, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForFulfilmentChanged(event.data), messageSignal),
);
