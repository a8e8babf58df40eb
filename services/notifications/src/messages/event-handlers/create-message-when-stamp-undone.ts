import { onAll } from '@corner/chassis';
import { stampUndone } from '@corner/contracts';
import { contentForCount } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that the store has removed a stamp. */
export const createMessageWhenStampUndone = onAll(
  stampUndone,
  (event) => newMessage(event, contentForCount('stamp.undone')(event.data)),
  recordEvents,
);
