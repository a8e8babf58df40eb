import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { graceSeconds } from '../rules/multi-stamp.ts';
import { cancelRequest } from '../tables/multi-stamp-requests.ts';

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
