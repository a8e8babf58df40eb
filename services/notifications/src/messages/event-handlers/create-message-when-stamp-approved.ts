import { on } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForCount } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer how many stamps their card has after a new one. */
export const createMessageWhenStampApproved = on(stampApproved, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForCount('stamp.approved')(event.data), messageSignal),
);
