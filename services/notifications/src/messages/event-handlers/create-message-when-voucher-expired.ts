import { onAll } from '@corner/chassis';
import { voucherExpired } from '@corner/contracts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that a voucher has expired. */
export const createMessageWhenVoucherExpired = onAll(
  voucherExpired,
  (event) => newMessage(event, contentForVoucher('voucher.expired')(event.data)),
  recordEvents,
);
