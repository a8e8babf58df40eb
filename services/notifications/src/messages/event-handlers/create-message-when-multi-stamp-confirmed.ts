import { on } from '@corner/chassis';
import { multiStampConfirmed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForMultiStamp } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer about several stamps in one message. */
export const createMessageWhenMultiStampConfirmed = on(multiStampConfirmed, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForMultiStamp(event.data), messageSignal),
);
