import { onAll } from '@corner/chassis';
import { voucherMinted } from '@corner/contracts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that they have earned a reward. */
export const createMessageWhenVoucherMinted = onAll(
  voucherMinted,
  (event) => newMessage(event, contentForVoucher('voucher.minted')(event.data)),
  recordEvents,
);
