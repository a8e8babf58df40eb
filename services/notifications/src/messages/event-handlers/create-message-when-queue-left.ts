import { on } from '@corner/chassis';
import { queueLeft } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueLeft } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer or guest that the store closed before their turn. One who left gets no message; a call that was not sent yet is stopped. */
export const createMessageWhenQueueLeft = on(queueLeft, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueLeft(event.data), messageSignal),
);
