import { on } from '@corner/chassis';
import { stampPending } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForReview } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that their stamp waits for approval. */
export const createMessageWhenStampPending = on(stampPending, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForReview('stamp.pending')(event.data), messageSignal),
);
