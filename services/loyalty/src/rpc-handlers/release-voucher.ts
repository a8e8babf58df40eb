import { handleRpc } from '@corner/chassis';
import { releaseVoucher } from '@corner/contracts';
import type { Context } from '../context.ts';
import { releaseReserved } from '../tables/vouchers.ts';

/** Releases a voucher that an order has reserved. */
export const handleReleaseVoucher = handleRpc(
  releaseVoucher,
  async ({ order_id, voucher_id, store_id, asked_at }, { database, now }: Context) => ({
    released: await releaseReserved(database, {
      storeId: store_id,
      voucherId: voucher_id,
      orderId: order_id,
      askedAt: asked_at ?? now().toISOString(),
    }),
  }),
);
