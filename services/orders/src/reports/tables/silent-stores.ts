import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** A store is expected to be paid at an hour if it was paid this often in the same hour of enough recent weeks. */
const payments = 3;
const weeks = { of: 4, atLeast: 3 } as const;
const mostStores = 100;

/**
 * Returns the codes of up to a hundred stores that take orders and were paid nothing in the hour before `now`, although they usually are
 * at this hour of this weekday. A week is 168 hours, so after clocks have changed it is off by an hour.
 */
export const findSilentStores = (queries: Queries, now: Date): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('find-silent-stores', z.object({ code: z.string() }))`
    with moment as (select ${now.toISOString()}::timestamptz as now)
    select s.code from store s cross join moment
    where s.live
      and coalesce(s.paused_until <= now, true)
      and not (s.staff_pause and coalesce(s.staff_pause_until > now, true))
      and not exists (
        select from jsonb_array_elements(s.closures) c where (c ->> 'starts_at')::timestamptz <= now and (c ->> 'ends_at')::timestamptz > now)
      and not exists (select from ledger l where l.store_id = s.id and l.kind = 'charge' and l.at > now - interval '1 hour' and l.at <= now)
      and (
        select count(*) from generate_series(1, ${weeks.of}) as ago, lateral (
          select count(*) as found from (
            select from ledger l where l.store_id = s.id and l.kind = 'charge'
              and l.at > now - make_interval(hours => 168 * ago + 1) and l.at <= now - make_interval(hours => 168 * ago)
            limit ${payments}
          ) few
        ) paid where found = ${payments}
      ) >= ${weeks.atLeast}
    order by s.code limit ${mostStores}`);
