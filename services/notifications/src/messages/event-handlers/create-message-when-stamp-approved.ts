import { onAll } from '@corner/chassis';
import { stampApproved } from '@corner/contracts';
import { contentForApprovedStamp } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer how many stamps their card has after a new one. */
export const createMessageWhenStampApproved = onAll(
  stampApproved,
  (event) => newMessage(event, contentForApprovedStamp(event.data)),
  recordEvents,
);
