import { onAll } from '@corner/chassis';
import { voucherRestored } from '@corner/contracts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that a used voucher can be used again. */
export const createMessageWhenVoucherRestored = onAll(
  voucherRestored,
  (event) => newMessage(event, contentForVoucher('voucher.restored')(event.data)),
  recordEvents,
);
