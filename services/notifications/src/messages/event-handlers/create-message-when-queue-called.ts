import { on } from '@corner/chassis';
import { queueCalled } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueCalled } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that it is their turn, and until when their place is held. */
export const createMessageWhenQueueCalled = on(queueCalled, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueCalled(event.data), messageSignal),
);
