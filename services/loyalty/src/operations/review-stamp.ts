import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { reviewPending } from '../tables/review-stamp.ts';

/** The same deed as resolving a pending stamp; a plan's spent quota refuses it. */
export const reviewStamp: Operation<typeof loyalty.reviewStamp, Context> = async ({ body }, { database, now, newId }) => {
  const reviewed = await database.transaction((tx) => reviewPending(tx, body, now(), newId));
  if (reviewed.outcome === 'over quota') throw new Problem('MONTHLY_LIMIT_REACHED');
  const { action } = body;
  if (reviewed.outcome === 'rejected') {
    const message = reviewed.already ? 'The stamp does not count already.' : 'The stamp is rejected.';
    return { action, message, stamp_count: null, voucher_created: false, voucher_code: null };
  }
  return {
    action,
    message: reviewed.already ? 'The stamp was approved already.' : 'The stamp is approved.',
    stamp_count: reviewed.stampCount,
    voucher_created: reviewed.minted !== null,
    voucher_code: reviewed.minted?.code ?? null,
  };
};
