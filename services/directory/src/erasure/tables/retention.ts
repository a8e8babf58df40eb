import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

export const unseenPage = 100;

const Row = z.object({ id: z.string() });

/**
 * Lists a page of customers after an id whom the directory has not seen since an instant: no change of the profile, no session, no active
 * membership and no erasure begun. They may have visited a store all the same.
 */
export const findUnseen = (
  queries: Queries,
  { since, after = null, only = null }: { readonly since: Date; readonly after?: string | null; readonly only?: string | null },
): Promise<readonly z.output<typeof Row>[]> =>
  queries.any(sql.prepared('find-unseen-customers', Row)`
    select o.id from object o
    left join lateral (
      select true as seen from session s where s.person_id = o.id and s.refreshed_at >= ${since.toISOString()} limit 1
    ) s on true
    left join lateral (select sequence > 0 as begun from erasure where customer_id = o.id limit 1) e on true
    where o.kind = 'customer' and o.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      and (${only}::uuid is null or o.id = ${only}::uuid) and o.changed_at < ${since.toISOString()}
      and not coalesce(o.data -> 'memberships', '[]') @> '[{"status": "active"}]' and s.seen is null and e.begun is not true
    order by o.id limit ${unseenPage}`);
