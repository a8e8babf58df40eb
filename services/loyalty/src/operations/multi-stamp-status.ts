import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { graceSeconds, lookbackSeconds } from '../rules/multi-stamp.ts';
import { instant } from '../tables/cards.ts';
import { storeNamed } from '../tables/stores.ts';

const Standing = z.object({
  id: z.string(),
  status: z.enum(['pending', 'confirmed']),
  requested_stamps: z.number(),
  expires_at: z.string(),
  confirmed_at: z.string().nullable(),
  secondsLeft: z.number(),
});

/** The request that waits, else the last one confirmed a moment ago, in one statement whatever there is. A dark store has none. */
export const multiStampStatus: Operation<typeof loyalty.multiStampStatus, Context> = async ({ query, caller }, { database, now }) => {
  const at = now();
  const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000).toISOString();
  const { by, match } = storeNamed(query.store_id ?? query.store_code ?? '');
  const request = await database.maybeOne(sql.prepared(`multi-stamp-status-by-${by}`, Standing)`
    select r.id, r.status, r.requested_stamps, ${instant(sql.fragment`r.expires_at`)} as expires_at, ${instant(sql.fragment`r.resolved_at`)} as confirmed_at,
      greatest(0, ceil(extract(epoch from r.expires_at - ${at.toISOString()}::timestamptz)))::int as "secondsLeft"
    from multi_stamp_request r
    where r.store_id = (select s.id from store s where ${match} and s.live order by s.id limit 1) and r.customer_id = ${caller.id}
      and (r.status = 'pending' and r.expires_at >= ${ago(graceSeconds)} or r.status = 'confirmed' and r.resolved_at >= ${ago(lookbackSeconds)})
    order by r.created_at desc, r.id desc limit 1`);
  if (!request) return { has_pending_request: false };
  const { id, requested_stamps, status, expires_at, confirmed_at, secondsLeft } = request;
  return status === 'pending'
    ? { has_pending_request: true, request: { id, requested_stamps, status, expires_at, remaining_seconds: secondsLeft } }
    : { has_pending_request: false, last_confirmed: { id, requested_stamps, status, confirmed_at: confirmed_at ?? '' } };
};
