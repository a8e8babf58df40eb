import { on } from '@corner/chassis';
import { voucherRestored } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updateVoucherPass } from '../transactions/update-voucher-pass.ts';

/** Updates the passes of the voucher and of its card when a used voucher can be used again. */
export const updatePassWhenVoucherRestored = on(voucherRestored, (event, tx, { passSignal }: Context) =>
  updateVoucherPass(tx, event, 'active', passSignal),
);
