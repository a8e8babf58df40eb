import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { reviewStamp as review } from '../transactions/review-stamp.ts';

/** Approves or rejects a pending stamp, as resolvePendingStamp does, but throws MONTHLY_LIMIT_REACHED when the quota is used up. */
export const reviewStamp: Operation<typeof loyalty.reviewStamp, Context> = async ({ body }, { database }) => {
  const { action } = body;
  const reviewed = await database.transaction((tx) => review(tx, { storeId: body.store_id, stampId: body.stamp_id, action }));
  if (reviewed.outcome === 'over quota') throw new Problem('MONTHLY_LIMIT_REACHED');
  if (reviewed.outcome === 'rejected') {
    const message = reviewed.replayed ? 'The stamp was rejected already.' : 'The stamp is rejected.';
    return { action, message, stamp_count: null, voucher_created: false, voucher_code: null };
  }
  return {
    action,
    message: reviewed.replayed ? 'The stamp was approved already.' : 'The stamp is approved.',
    stamp_count: reviewed.stampCount,
    voucher_created: reviewed.minted !== null,
    voucher_code: reviewed.minted?.code ?? null,
  };
};
