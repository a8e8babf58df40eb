import type { Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { listStamps } from '../tables/stamp-list.ts';
import { reviewStamp as review } from '../transactions/review-stamp.ts';

/** Lists a store's 100 newest stamps of one status, each with the customer who collected it. */
export const listPendingStamps: Operation<typeof loyalty.listPendingStamps, Context> = async ({ query }, { database }) => {
  const rows = await listStamps(database, { storeId: query.store_id, status: query.status });
  return {
    stamps: rows.map(({ name, email, phone, identity_user_id, last_seen, known_since, ...stamp }) => ({
      ...stamp,
      customer: {
        id: stamp.customer_id ?? 'guest',
        name,
        email,
        phone,
        identity_user_id,
        last_seen,
        created_at: known_since,
        updated_at: null,
      },
    })),
  };
};

/** Approves or rejects a pending stamp. When the store's monthly quota is used up the result says so, and the stamp stays pending. */
export const resolvePendingStamp: Operation<typeof loyalty.resolvePendingStamp, Context> = async ({ body }, { database }) => {
  const { action, stamp_id } = body;
  const reviewed = await database.transaction((tx) => review(tx, { storeId: body.store_id, stampId: stamp_id, action }));
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
