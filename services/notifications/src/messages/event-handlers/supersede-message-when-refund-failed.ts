import { on } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForRefundFailed } from '../rules/content-for-orders.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Stops a refund message that has not been sent yet when the refund fails. */
export const supersedeMessageWhenRefundFailed = on(orderRefundFailed, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForRefundFailed(event.data), messageSignal),
);
