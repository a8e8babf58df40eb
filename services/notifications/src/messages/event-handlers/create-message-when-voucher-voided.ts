import { on } from '@corner/chassis';
import { voucherVoided } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucher } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that the store has withdrawn a voucher. */
export const createMessageWhenVoucherVoided = on(voucherVoided, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucher('voucher.voided')(event.data), messageSignal),
);
