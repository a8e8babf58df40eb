import { on } from '@corner/chassis';
import { stampRejected } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForReview } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that the store did not approve their stamp. */
export const createMessageWhenStampRejected = on(stampRejected, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForReview('stamp.rejected')(event.data), messageSignal),
);
