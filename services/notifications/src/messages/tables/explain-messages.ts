import type { Explained, Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), event_id: z.string() });

const instant = sql.fragment`to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What became of messages, by the event they are about or their own id. Neither text nor address is told. */
export async function explainErrands(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.type(Fact)`
    with e as (select * from errand where id = any(${uuids}) or event_id = any(${uuids})),
    fact (at, sentence, event_id) as (
      select e.created_at, 'A message (' || e.template || ') by ' || e.channel || ' to customer ' || e.customer_id || ' was made; it is now '
        || e.state || ' after ' || e.attempts || ' tries.', e.event_id
      from e
      union all
      select e.settled_at, 'The message (' || e.template || ') to customer ' || e.customer_id || ' was ' || e.state || coalesce(': ' || e.reason, '') || '.', e.event_id
      from e where e.settled_at is not null
    )
    select ${instant} as at, sentence, event_id from fact order by at limit 500`);
  return { facts, also: [] };
}
