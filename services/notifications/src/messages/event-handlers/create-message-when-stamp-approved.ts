import { on } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForApprovedStamp } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer how many stamps their card has after a new one. */
export const createMessageWhenStampApproved = on(stampApproved, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForApprovedStamp(event.data), messageSignal),
);
