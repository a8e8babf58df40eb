import { on } from '@corner/chassis';
import { voucherMinted } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that they have earned a reward. */
export const createMessageWhenVoucherMinted = on(voucherMinted, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucher('voucher.minted')(event.data), messageSignal),
);
