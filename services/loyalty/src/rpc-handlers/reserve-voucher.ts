import { handleRpc } from '@corner/chassis';
import { reserveVoucher as reserveVoucherRpc } from '@corner/contracts';
import type { Context } from '../context.ts';
import { reserveVoucher } from '../transactions/reserve-voucher.ts';

/** Reserves a voucher for an unpaid order; repeated by the same order it returns the same. */
export const handleReserveVoucher = handleRpc(
  reserveVoucherRpc,
  async ({ order_id, voucher_id, customer_id, store_id, until, asked_at }, { database, now }: Context) => {
    const voucher = { voucherId: voucher_id, storeId: store_id, customerId: customer_id };
    const at = now();
    return await reserveVoucher(database, voucher, { orderId: order_id, until, askedAt: asked_at ?? at.toISOString(), now: at });
  },
);
