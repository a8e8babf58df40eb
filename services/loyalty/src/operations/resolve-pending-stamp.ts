import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { reviewStamp } from '../transactions/review-stamp.ts';

/** Approves or rejects a pending stamp. When the store's monthly quota is used up the result says so, and the stamp stays pending. */
export const resolvePendingStamp: Operation<typeof loyalty.resolvePendingStamp, Context> = async ({ body }, { database }) => {
  const { action, stamp_id } = body;
  const reviewed = await database.transaction((tx) => reviewStamp(tx, { storeId: body.store_id, stampId: stamp_id, action }));
  if (reviewed.outcome === 'rejected') return { action, result: null };
  if (reviewed.outcome === 'over quota') {
    const { limit, used, planKey } = reviewed;
    const error = 'MONTHLY_LIMIT_REACHED';
    return {
      action,
      result: { success: false, error, limit_reached: true, monthly_limit: limit, stamps_used: used, plan_key: planKey, stamp_id },
    };
  }
  const { minted, stampCount, replayed } = reviewed;
  return {
    action,
    result: {
      success: true,
      stamp_id,
      stamp_count: stampCount,
      already_approved: replayed,
      voucher_created: minted !== null,
      ...(minted ? { voucher_id: minted.id, voucher_code: minted.code } : {}),
    },
  };
};
