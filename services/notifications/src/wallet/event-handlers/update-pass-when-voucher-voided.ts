import { on } from '@corner/chassis';
import { voucherVoided } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updateVoucherPass } from '../transactions/update-voucher-pass.ts';

/** Updates the passes of the voucher and of its card when a voucher is voided. */
export const updatePassWhenVoucherVoided = on(voucherVoided, (event, tx, { passSignal }: Context) =>
  updateVoucherPass(tx, event, 'voided', passSignal),
);
