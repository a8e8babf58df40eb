import { on } from '@corner/chassis';
import { stampUndone } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForCount } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that the store has removed a stamp. */
export const createMessageWhenStampUndone = on(stampUndone, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForCount('stamp.undone')(event.data), messageSignal),
);
