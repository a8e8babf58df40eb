import { on } from '@corner/chassis';
import { queueConverted } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForQueueMove } from '../rules/content-for-queue.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Stops a call that has not been sent yet when the entry becomes an appointment. */
export const supersedeMessageWhenQueueConverted = on(queueConverted, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForQueueMove(event.data), messageSignal),
);
