import { on } from '@corner/chassis';
import { queueRecalled } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueRecalled } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer or guest that the call was taken back and that they keep their place. */
export const createMessageWhenQueueRecalled = on(queueRecalled, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueRecalled(event.data), messageSignal),
);
