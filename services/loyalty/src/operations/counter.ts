import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { grantStamp as grant } from '../transactions/grant-stamp.ts';
import { redeemVoucher as redeem } from '../transactions/redeem-voucher.ts';
import { undoStamp as undo } from '../transactions/undo-stamp.ts';

/** Grants a stamp at the counter, within the store's limits, and mints the voucher it completes. */
export const grantStamp: Operation<typeof loyalty.grantStamp, Context> = async ({ body, markReplayed }, { database }) => {
  const card = { storeId: body.store_id, customerId: body.customer_id };
  const { stampId, stampCount, goal, voucherCode, replayed } = await database.transaction((tx) =>
    grant(tx, card, body.idempotency_key || null),
  );
  if (replayed) markReplayed();
  return {
    stamp_id: stampId,
    current_stamps: stampCount,
    goal,
    voucher_earned: voucherCode !== null,
    voucher_code: voucherCode,
    idempotent: replayed,
  };
};

/** Undoes a stamp that the store granted and that is unused. A stamp that was undone already stays as it is. */
export const undoStamp: Operation<typeof loyalty.undoStamp, Context> = async ({ body }, { database }) => {
  const card = { storeId: body.store_id, customerId: body.customer_id };
  return { undone: true, current_stamps: await database.transaction((tx) => undo(tx, card, body.stamp_id)) };
};

/** Redeems a voucher at the counter, once. A voucher reserved by an unpaid order, or held by a dispute, is refused. */
export const redeemVoucher: Operation<typeof loyalty.redeemVoucher, Context> = async ({ body }, { database }) => {
  const { store_id: storeId, customer_id: customerId, voucher_id } = body;
  const { code, reward_title } = await database.transaction((tx) => redeem(tx, { storeId, customerId, voucherId: voucher_id }));
  return { voucher_id, redemption_code: code, reward_title };
};
