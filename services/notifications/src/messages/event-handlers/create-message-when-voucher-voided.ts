import { onAll } from '@corner/chassis';
import { voucherVoided } from '@corner/contracts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that the store has withdrawn a voucher. */
export const createMessageWhenVoucherVoided = onAll(
  voucherVoided,
  (event) => newMessage(event, contentForVoucher('voucher.voided')(event.data)),
  recordEvents,
);
