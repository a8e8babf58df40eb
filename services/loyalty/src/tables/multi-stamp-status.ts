import { instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { storeNamed } from './stores.ts';

const Status = z.object({
  id: z.string(),
  status: z.enum(['pending', 'confirmed']),
  requested_stamps: z.number(),
  expires_at: z.string(),
  confirmed_at: z.string().nullable(),
  secondsLeft: z.number(),
});

/**
 * Reads a customer's newest request at a live store that is pending and expired no earlier than `expiredSince`, or was confirmed no
 * earlier than `confirmedSince`. Null when there is none. The same statement in every case, so it reveals nothing of other requests.
 */
export async function readMultiStampStatus(
  queries: Queries,
  { store, customerId }: { readonly store: string; readonly customerId: string },
  { now, expiredSince, confirmedSince }: { readonly now: Date; readonly expiredSince: Date; readonly confirmedSince: Date },
): Promise<z.output<typeof Status> | null> {
  const { by, match } = storeNamed(store);
  return await queries.maybeOne(sql.prepared(`multi-stamp-status-by-${by}`, Status)`
    select r.id, r.status, r.requested_stamps, ${instantOf(sql.fragment`r.expires_at`)} as expires_at,
      ${instantOf(sql.fragment`r.resolved_at`)} as confirmed_at,
      greatest(0, ceil(extract(epoch from r.expires_at - ${now.toISOString()}::timestamptz)))::int as "secondsLeft"
    from multi_stamp_request r
    where r.store_id = (select s.id from store s where ${match} and s.live order by s.id limit 1) and r.customer_id = ${customerId}
      and (r.status = 'pending' and r.expires_at >= ${expiredSince.toISOString()}
        or r.status = 'confirmed' and r.resolved_at >= ${confirmedSince.toISOString()})
    order by r.created_at desc, r.id desc limit 1`);
}
