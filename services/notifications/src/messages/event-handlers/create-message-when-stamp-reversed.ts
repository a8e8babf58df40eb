import { onAll } from '@corner/chassis';
import { stampReversed } from '@corner/contracts';
import { contentForCount } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that a stamp no longer counts because its order was refunded. */
export const createMessageWhenStampReversed = onAll(
  stampReversed,
  (event) => newMessage(event, contentForCount('stamp.reversed')(event.data)),
  recordEvents,
);
