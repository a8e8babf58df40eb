import { on } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForRefundFailed } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that a refund which had been accepted did not arrive, and stops a message about it that has not been sent yet. */
export const createMessageWhenRefundFailed = on(orderRefundFailed, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForRefundFailed(event.data), messageSignal),
);
