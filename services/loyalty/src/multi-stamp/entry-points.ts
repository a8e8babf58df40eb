import { type Operation, on } from '@corner/chassis';
import { directoryStaff, type loyalty, Problem } from '@corner/contracts';
import { keptSince } from '../card/rules.ts';
import { findStore } from '../card/tables/directory.ts';
import { verifyTap } from '../codes-and-taps/index.ts';
import type { Context } from '../context.ts';
import { readStaffCredential, staffCardHash } from './crypto.ts';
import { graceSeconds, lookbackSeconds, tapRequired, validCards, windowSeconds } from './rules.ts';
import { cancelRequest, deleteRequests, expireRequests, readEarnedVouchers, readMultiStampStatus, saveStaff } from './tables.ts';
import { admitStaff, confirmMultiStamp as confirm, requestMultiStamp as open } from './transactions.ts';

export const requestMultiStamp: Operation<typeof loyalty.requestMultiStamp, Context> = async ({ body, caller }, { database }) => {
  const { store_id: storeId, requested_stamps } = body;
  const { id, expiresAt } = await database.transaction((tx) => open(tx, { storeId, customerId: caller.id, stamps: requested_stamps }));
  return { request_id: id, requested_stamps, expires_at: expiresAt, expires_in_seconds: windowSeconds };
};

/**
 * Cancels a pending request. A resolved request stays as it is, and its customer gets its status. A missing request and another
 * customer's get the same response after the same statement.
 */
export const cancelMultiStamp: Operation<typeof loyalty.cancelMultiStamp, Context> = async ({ body, caller }, { database, now }) => {
  const at = now();
  const expiredBefore = new Date(at.getTime() - graceSeconds * 1_000);
  const previous = await cancelRequest(database, { requestId: body.request_id, customerId: caller.id }, { now: at, expiredBefore });
  return { cancelled: true, ...(previous === null ? {} : { previous_status: previous }) };
};

export const multiStampStatus: Operation<typeof loyalty.multiStampStatus, Context> = async ({ query, caller }, { database, now }) => {
  const at = now();
  const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
  const request = await readMultiStampStatus(
    database,
    { store: query.store_id ?? query.store_code ?? '', customerId: caller.id },
    { now: at, expiredSince: ago(graceSeconds), confirmedSince: ago(lookbackSeconds) },
  );
  if (!request) return { has_pending_request: false };
  const { id, requested_stamps, status, expires_at, confirmed_at, secondsLeft } = request;
  return status === 'pending'
    ? { has_pending_request: true, request: { id, requested_stamps, status, expires_at, remaining_seconds: secondsLeft } }
    : { has_pending_request: false, last_confirmed: { id, requested_stamps, status, confirmed_at: confirmed_at ?? '' } };
};

/** Confirms a customer's request with a staff credential. Repeated within a minute, returns the first result and leaves the tap unused. */
export const confirmMultiStamp: Operation<typeof loyalty.confirmMultiStamp, Context> = async ({ body, caller, header }, context) => {
  const credential = await readStaffCredential({ ...body, header: header('x-staff-token') }, context.verifyToken);
  return await context.database.transaction(async (tx) => {
    const store = await findStore(tx, body.store_code);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    const by = await admitStaff(tx, store.id, credential);
    if (by.id === caller.id)
      throw new Problem('STAFF_CREDENTIAL_INVALID', { message: 'This credential is your own: someone else at the store has to confirm.' });
    const nfcEnforced = tapRequired(store, credential.kind);
    const tap = await verifyTap(tx, { id: store.id, nfcEnforced }, body, context.nfcKeys);
    const { stamps, stampCount, goal, voucherIds, replayed } = await confirm(tx, {
      storeId: store.id,
      customerId: caller.id,
      requestId: body.request_id ?? null,
      by,
      reason: `staff_${credential.kind}`,
      tap,
    });
    const { logo_url: store_logo_url, ...design } = store.branding;
    return {
      action: 'confirmed',
      stamps_created: stamps,
      current_stamps: stampCount,
      goal,
      vouchers_earned: voucherIds.length,
      voucher_earned: voucherIds.length > 0,
      voucher_results: voucherIds.length > 0 ? [...(await readEarnedVouchers(tx, store.programmeId, voucherIds))] : [],
      store_name: store.name,
      store_code: store.code,
      store_logo_url,
      ...design,
      idempotent: replayed,
    };
  });
};

export const projectStaff = on(directoryStaff, ({ data }, tx) => {
  const cardHashes = validCards(data).map(({ store_id, token_id }) => staffCardHash(store_id, token_id));
  return saveStaff(tx, data, cardHashes);
});

export async function expireMultiStamps({ database, now }: Context): Promise<void> {
  await expireRequests(database, new Date(now().getTime() - graceSeconds * 1_000));
}

/** Deletes requests that were cancelled or expired. Confirmed ones stay: they name the member of staff, and count toward the month. */
export async function dropOldRequests({ database, now }: Context): Promise<void> {
  while ((await deleteRequests(database, keptSince(now()))) === 1_000);
}
