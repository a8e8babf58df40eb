import { on } from '@corner/chassis';
import { voucherRedeemed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that their voucher was used. */
export const createMessageWhenVoucherRedeemed = on(voucherRedeemed, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucher('voucher.redeemed')(event.data), messageSignal),
);
