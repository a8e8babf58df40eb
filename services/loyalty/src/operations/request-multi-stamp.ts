import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { graceSeconds, lookbackSeconds, windowSeconds } from '../rules/multi-stamp.ts';
import { cancelRequest } from '../tables/multi-stamp-requests.ts';
import { readMultiStampStatus } from '../tables/multi-stamp-status.ts';
import { requestMultiStamp as open } from '../transactions/request-multi-stamp.ts';

/** Opens a request for several stamps, which staff confirm within a minute. An expired request is replaced, a pending one is not. */
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

/** Returns the caller's pending request at a store, else the one confirmed a moment ago. A store that is not live has none. */
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
