import { on } from '@corner/chassis';
import { queueRecalled } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueRecalled } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer or guest that a call which was sent was taken back. A call that has not been sent yet is stopped. */
export const createMessageWhenQueueRecalled = on(queueRecalled, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueRecalled(event.data), messageSignal),
);
