import { onAll } from '@corner/chassis';
import { voucherRedeemed } from '@corner/contracts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { newMessage, recordEvents } from '../transactions/record-events.ts';

/** Informs the customer that their voucher was used. */
export const createMessageWhenVoucherRedeemed = onAll(
  voucherRedeemed,
  (event) => newMessage(event, contentForVoucher('voucher.redeemed')(event.data)),
  recordEvents,
);
