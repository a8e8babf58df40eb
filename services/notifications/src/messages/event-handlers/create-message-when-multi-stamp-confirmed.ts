import { onAll } from '@corner/chassis';
import { multiStampConfirmed } from '@corner/contracts';
import { contentForMultiStamp } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer about several stamps in one message. */
export const createMessageWhenMultiStampConfirmed = onAll(
  multiStampConfirmed,
  (event) => newMessage(event, contentForMultiStamp(event.data)),
  recordEvents,
);
