import { onAll } from '@corner/chassis';
import { voucherExpiring } from '@corner/contracts';
import { contentForVoucherExpiring } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that a voucher can be used for a few more days. */
export const createMessageWhenVoucherExpiring = onAll(
  voucherExpiring,
  (event) => newMessage(event, contentForVoucherExpiring(event.data)),
  recordEvents,
);
