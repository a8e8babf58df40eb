import { on } from '@corner/chassis';
import { voucherRedeemed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updateVoucherPass } from '../transactions/update-voucher-pass.ts';

/** Updates the passes of the voucher and of its card when a voucher is redeemed. */
export const updatePassWhenVoucherRedeemed = on(voucherRedeemed, (event, tx, { passSignal }: Context) =>
  updateVoucherPass(tx, event, 'redeemed', passSignal),
);
