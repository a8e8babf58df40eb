import { type Caller, foundLogPage, hasRole, type Operation } from '@corner/chassis';
import { type ChangedBy, type loyalty, Problem } from '@corner/contracts';
import { giverOf, otherThan } from '../card/transactions.ts';
import type { Context } from '../context.ts';
import { logTitle } from './rules.ts';
import { findGuestStamp, type ListedStamp, listStamps, listGuestStamps as readGuestStamps, readLog } from './tables.ts';
import { grantStamp as grant, reviewStamp as review, undoStamp as undo } from './transactions.ts';

export const grantStamp: Operation<typeof loyalty.grantStamp, Context> = async ({ body, caller, markReplayed }, { database }) => {
  const { store_id: storeId, customer_id: customerId, idempotency_key } = body;
  const request = { storeId, customerId, grantKey: idempotency_key || null, by: otherThan(customerId, giverOf(caller, storeId)) };
  const { stampId, stampCount, goal, voucherCode, by, replayed } = await database.transaction((tx) => grant(tx, request));
  if (replayed) markReplayed();
  return {
    stamp_id: stampId,
    current_stamps: stampCount,
    goal,
    voucher_earned: voucherCode !== null,
    voucher_code: voucherCode,
    idempotent: replayed,
    by,
  };
};

export const undoStamp: Operation<typeof loyalty.undoStamp, Context> = async ({ body, caller }, { database }) => {
  const request = { storeId: body.store_id, customerId: body.customer_id, stampId: body.stamp_id, by: byOf(caller) };
  const { stampCount, by } = await database.transaction((tx) => undo(tx, request));
  return { undone: true, current_stamps: stampCount, by };
};

export const listPendingStamps: Operation<typeof loyalty.listPendingStamps, Context> = async ({ query, caller }, { database }) => {
  const rows = await listStamps(database, { storeId: query.store_id, status: query.status });
  return { stamps: rows.map(viewFor(caller, query.store_id)) };
};

export const listGuestStamps: Operation<typeof loyalty.listGuestStamps, Context> = async ({ query, caller }, { database }) => {
  const { store_id: storeId, before: stampId, limit } = query;
  const before = stampId === undefined ? null : await findGuestStamp(database, { storeId, stampId });
  if (stampId !== undefined && !before)
    throw new Problem('INVALID_CURSOR', { message: 'The store has no stamp of a guest with the id in before.' });
  const rows = await readGuestStamps(database, { storeId, before, limit });
  return { stamps: rows.map(viewFor(caller, storeId)) };
};

function viewFor(caller: Caller, storeId: string) {
  const seesContact = hasRole(caller, storeId, 'manager');
  return ({ name, email, phone, identity_user_id, last_seen, known_since, ...stamp }: ListedStamp) => ({
    ...stamp,
    customer: {
      id: stamp.customer_id ?? 'guest',
      name,
      email: seesContact ? email : null,
      phone: seesContact ? phone : null,
      identity_user_id: seesContact ? identity_user_id : null,
      last_seen,
      created_at: known_since,
      updated_at: null,
    },
  });
}

/** Approves or rejects a pending stamp. When the store's monthly quota is used up, returns that, and the stamp stays pending. */
export const resolvePendingStamp: Operation<typeof loyalty.resolvePendingStamp, Context> = async ({ body, caller }, { database }) => {
  const { action, stamp_id } = body;
  const request = { storeId: body.store_id, stampId: stamp_id, action, giver: giverOf(caller, body.store_id) };
  const reviewed = await database.transaction((tx) => review(tx, request));
  if (reviewed.outcome === 'rejected') return { action, result: null, by: reviewed.by };
  if (reviewed.outcome === 'over quota') {
    const { limit, used, planKey } = reviewed;
    const error = 'MONTHLY_LIMIT_REACHED';
    return {
      action,
      by: null,
      result: { success: false, error, limit_reached: true, monthly_limit: limit, stamps_used: used, plan_key: planKey, stamp_id },
    };
  }
  const { minted, stampCount, replayed, by } = reviewed;
  return {
    action,
    by,
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
export const reviewStamp: Operation<typeof loyalty.reviewStamp, Context> = async ({ body, caller }, { database }) => {
  const { action } = body;
  const request = { storeId: body.store_id, stampId: body.stamp_id, action, giver: giverOf(caller, body.store_id) };
  const reviewed = await database.transaction((tx) => review(tx, request));
  if (reviewed.outcome === 'over quota') throw new Problem('MONTHLY_LIMIT_REACHED');
  if (reviewed.outcome === 'rejected') {
    const message = reviewed.replayed ? 'The stamp was rejected already.' : 'The stamp is rejected.';
    return { action, message, stamp_count: null, voucher_created: false, voucher_code: null, by: reviewed.by };
  }
  return {
    action,
    message: reviewed.replayed ? 'The stamp was approved already.' : 'The stamp is approved.',
    stamp_count: reviewed.stampCount,
    voucher_created: reviewed.minted !== null,
    voucher_code: reviewed.minted?.code ?? null,
    by: reviewed.by,
  };
};

export const listLoyaltyLog: Operation<typeof loyalty.listLoyaltyLog, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, day = null, before = null, limit } = query;
  const page = foundLogPage(await readLog(database, { storeId, day, before, limit }));
  const entries = page.rows.map(({ id, at, by_id, by_name, customer_id, customer_name, stamp_id, voucher_id, ...row }) => ({
    id: String(id),
    at,
    title: logTitle({ ...row, customer_id, customer_name }),
    by: { id: by_id, name: by_name },
    customer_id,
    customer_name,
    stamp_id,
    voucher_id,
  }));
  return { entries };
};

const byOf = ({ id, name }: Caller): ChangedBy => ({ id, name });
