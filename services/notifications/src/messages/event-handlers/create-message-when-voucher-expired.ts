import { on } from '@corner/chassis';
import { voucherExpired } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that a voucher has expired. */
export const createMessageWhenVoucherExpired = on(voucherExpired, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucher('voucher.expired')(event.data), messageSignal),
);
