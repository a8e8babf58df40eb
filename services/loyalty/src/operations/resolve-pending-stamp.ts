import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { reviewPending } from '../tables/review-stamp.ts';

/** Approves or rejects a pending stamp; a plan's spent quota is told in the result, and the stamp stays pending. */
export const resolvePendingStamp: Operation<typeof loyalty.resolvePendingStamp, Context> = async ({ body }, { database, now, newId }) => {
  const { action, stamp_id } = body;
  const reviewed = await database.transaction((tx) => reviewPending(tx, body, now(), newId));
  if (reviewed.outcome === 'rejected') return { action, result: null };
  if (reviewed.outcome === 'over quota') {
    const { limit, used, planKey } = reviewed;
    const error = 'MONTHLY_LIMIT_REACHED';
    return {
      action,
      result: { success: false, error, limit_reached: true, monthly_limit: limit, stamps_used: used, plan_key: planKey, stamp_id },
    };
  }
  const { minted, stampCount, already } = reviewed;
  return {
    action,
    result: {
      success: true,
      stamp_id,
      stamp_count: stampCount,
      already_approved: already,
      voucher_created: minted !== null,
      ...(minted ? { voucher_id: minted.id, voucher_code: minted.code } : {}),
    },
  };
};
