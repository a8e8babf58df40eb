import { handleRpc } from '@corner/chassis';
import { releaseVoucher } from '@corner/contracts';
import type { Context } from '../context.ts';
import { releaseReserved } from '../tables/vouchers.ts';

/** Gives a reservation back. */
export const handleReleaseVoucher = handleRpc(releaseVoucher, async ({ order_id, voucher_id, store_id }, { database }: Context) => ({
  released: await releaseReserved(database, store_id, voucher_id, order_id),
}));
