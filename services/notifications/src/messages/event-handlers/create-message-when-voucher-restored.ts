import { on } from '@corner/chassis';
import { voucherRestored } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that a used voucher can be used again. */
export const createMessageWhenVoucherRestored = on(voucherRestored, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucher('voucher.restored')(event.data), messageSignal),
);
