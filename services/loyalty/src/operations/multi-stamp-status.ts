import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { graceSeconds, lookbackSeconds } from '../rules/multi-stamp.ts';
import { readMultiStampStatus } from '../tables/multi-stamp-status.ts';

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
