import { on } from '@corner/chassis';
import { queueNoShow } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueNoShow } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that they missed their turn. */
export const createMessageWhenQueueNoShow = on(queueNoShow, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueNoShow(event.data), messageSignal),
);
