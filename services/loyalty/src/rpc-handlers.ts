import { crashPoint, handleRpc } from '@corner/chassis';
import {
  awardOrder as awardOrderRpc,
  Problem,
  releaseVoucher,
  reserveVoucher as reserveVoucherRpc,
  voucherDetails,
} from '@corner/contracts';
import type { Context } from './context.ts';
import { readVoucherDetails, releaseReserved } from './tables/vouchers.ts';
import { awardOrder } from './transactions/award-order.ts';
import { awardAtOnce } from './transactions/award-orders.ts';
import { reserveVoucher } from './transactions/reserve-voucher.ts';

/** Awards a paid order's stamps while its customer waits. */
export const handleAwardOrder = handleRpc(awardOrderRpc, async (order, context: Context) => {
  const { database } = context;
  const award = (await awardAtOnce(database, order, context)) ?? (await database.transaction((tx) => awardOrder(tx, order)));
  crashPoint('loyalty.award.before-response');
  return award;
});

/** Reserves a voucher for an unpaid order; repeated by the same order it returns the same. */
export const handleReserveVoucher = handleRpc(
  reserveVoucherRpc,
  async ({ order_id, voucher_id, customer_id, store_id, until, asked_at }, { database, now }: Context) => {
    const voucher = { voucherId: voucher_id, storeId: store_id, customerId: customer_id };
    return await reserveVoucher(database, voucher, { orderId: order_id, until, askedAt: asked_at, now: now() });
  },
);

/** Releases a voucher that an order has reserved. */
export const handleReleaseVoucher = handleRpc(
  releaseVoucher,
  async ({ order_id, voucher_id, store_id, asked_at }, { database }: Context) => ({
    released: await releaseReserved(database, {
      storeId: store_id,
      voucherId: voucher_id,
      orderId: order_id,
      askedAt: asked_at,
    }),
  }),
);

/** Returns a voucher's code and last day to the service that signs its pass. */
export const handleVoucherDetails = handleRpc(voucherDetails, async (input, { database }: Context) => {
  const key = { voucherId: input.voucher_id, storeId: input.store_id, customerId: input.customer_id };
  const details = await readVoucherDetails(database, key);
  if (!details) throw new Problem('VOUCHER_NOT_FOUND');
  return details;
});
