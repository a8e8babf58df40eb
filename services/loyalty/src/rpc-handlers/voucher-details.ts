import { handleRpc } from '@corner/chassis';
import { Problem, voucherDetails } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readVoucherDetails } from '../tables/vouchers.ts';

/** Returns a voucher's code and last day to the service that signs its pass. */
export const handleVoucherDetails = handleRpc(voucherDetails, async (input, { database }: Context) => {
  const key = { voucherId: input.voucher_id, storeId: input.store_id, customerId: input.customer_id };
  const details = await readVoucherDetails(database, key);
  if (!details) throw new Problem('VOUCHER_NOT_FOUND');
  return details;
});
