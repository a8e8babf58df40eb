import { on } from '@corner/chassis';
import { voucherMinted } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updateVoucherPass } from '../transactions/update-voucher-pass.ts';

/** Updates the passes of the voucher and of its card when a voucher is minted. */
export const updatePassWhenVoucherMinted = on(voucherMinted, (event, tx, { passSignal }: Context) =>
  updateVoucherPass(tx, event, 'active', passSignal),
);
