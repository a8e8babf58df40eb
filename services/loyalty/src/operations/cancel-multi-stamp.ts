import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { graceSeconds } from '../rules/multi-stamp.ts';

const Before = z.object({ status: z.string() });

/**
 * Cancels a request that waits. What is resolved stays so; its own customer is told how. One that is missing and somebody else's
 * are answered alike, after the same statement.
 */
export const cancelMultiStamp: Operation<typeof loyalty.cancelMultiStamp, Context> = async ({ body, caller }, { database, now }) => {
  const at = now();
  const lapsed = sql.fragment`expires_at < ${new Date(at.getTime() - graceSeconds * 1_000).toISOString()}`;
  const before = await database.maybeOne(sql.prepared('cancel-multi-stamp', Before)`
    update multi_stamp_request
    set status = case when status <> 'pending' then status when ${lapsed} then 'expired' else 'cancelled' end,
        resolved_at = case when status <> 'pending' then resolved_at when ${lapsed} then expires_at else ${at.toISOString()} end
    where id = ${body.request_id} and customer_id = ${caller.id}
    returning case when status = 'expired' then status else old.status end as status`);
  return { cancelled: true, ...(before ? { previous_status: before.status } : {}) };
};
