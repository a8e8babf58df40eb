import { on } from '@corner/chassis';
import { voucherExpired } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updateVoucherPass } from '../transactions/update-voucher-pass.ts';

/** Updates the passes of the voucher and of its card when a voucher expires. */
export const updatePassWhenVoucherExpired = on(voucherExpired, (event, tx, { passSignal }: Context) =>
  updateVoucherPass(tx, event, 'expired', passSignal),
);
