import { on } from '@corner/chassis';
import { voucherExpiring } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { contentForVoucherExpiring } from '../rules/content-for-cards.ts';
import { createMessage } from '../transactions/create-message.ts';

/** Informs the customer that a voucher can be used for a few more days. */
export const createMessageWhenVoucherExpiring = on(voucherExpiring, (event, tx, { messageSignal }: Context) =>
  createMessage(tx, event, contentForVoucherExpiring(event.data), messageSignal),
);
