import { on } from '@corner/chassis';
import { orderRefunded } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForOrderRefunded } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Sends the customer a record of a refund. */
export const createMessageWhenOrderRefunded = on(orderRefunded, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForOrderRefunded(event.data), messageSignal),
);
