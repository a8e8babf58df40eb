import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { grantStamp as grant } from '../transactions/grant-stamp.ts';

/** Grants a stamp at the counter, within the store's limits, and mints the voucher it completes. */
export const grantStamp: Operation<typeof loyalty.grantStamp, Context> = async ({ body }, { database }) => {
  const card = { storeId: body.store_id, customerId: body.customer_id };
  const { stampId, stampCount, goal, voucherCode, replayed } = await database.transaction((tx) =>
    grant(tx, card, body.idempotency_key || null),
  );
  return {
    stamp_id: stampId,
    current_stamps: stampCount,
    goal,
    voucher_earned: voucherCode !== null,
    voucher_code: voucherCode,
    idempotent: replayed,
  };
};
