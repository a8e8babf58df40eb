import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { redeemVoucher as redeem } from '../transactions/redeem-voucher.ts';

/** Redeems a voucher at the counter, once. A voucher reserved by an unpaid order, or held by a dispute, is refused. */
export const redeemVoucher: Operation<typeof loyalty.redeemVoucher, Context> = async ({ body }, { database }) => {
  const { store_id: storeId, customer_id: customerId, voucher_id } = body;
  const { code, reward_title } = await database.transaction((tx) => redeem(tx, { storeId, customerId, voucherId: voucher_id }));
  return { voucher_id, redemption_code: code, reward_title };
};
