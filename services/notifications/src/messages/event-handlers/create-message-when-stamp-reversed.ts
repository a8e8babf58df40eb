import { on } from '@corner/chassis';
import { stampReversed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForCount } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that a stamp no longer counts because its order was refunded. */
export const createMessageWhenStampReversed = on(stampReversed, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForCount('stamp.reversed')(event.data), messageSignal),
);
