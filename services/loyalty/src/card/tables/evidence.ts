import type { Queries } from '@corner/chassis';
import { stampEvidence } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const Counted = z.object({ evidence: z.array(z.object({ evidence: z.enum(stampEvidence), stamps: z.number() })) });

const stampEvidenceSql = sql.fragment`case when source in ('order', 'visit', 'membership', 'import') then source when approval_reason = 'nfc_proof' then 'tap'
  when by_id is not null then 'staff' else 'code' end`;

/**
 * Counts the stamps on cards of a programme that began to count within days of its home's time zone, and still do, by their evidence. An
 * order's counts from when it is made, so it is found by that. Null for an unknown store.
 */
export const countStampEvidence = (
  queries: Queries,
  { storeId, from, to }: { readonly storeId: string; readonly from: string; readonly to: string },
): Promise<z.output<typeof Counted> | null> =>
  queries.maybeOne(sql.prepared('stamp-evidence', Counted)`
    with span as (
      select id, ${from}::date::timestamp at time zone time_zone as begins, (${to}::date + 1)::timestamp at time zone time_zone as ends
      from store where id = ${storeId}
    )
    select coalesce((select jsonb_agg(to_jsonb(c) order by c.stamps desc, c.evidence) from (
      select evidence, count(*)::int as stamps from (
        select ${stampEvidenceSql} as evidence from stamp
        where store_id = s.id and status = 'approved' and source <> 'order' and customer_id is not null
          and approved_at >= s.begins and approved_at < s.ends
        union all
        select 'order' from stamp
        where store_id = s.id and status = 'approved' and source = 'order' and created_at >= s.begins and created_at < s.ends
      ) counted group by evidence
    ) c), '[]') as evidence
    from span s`);
