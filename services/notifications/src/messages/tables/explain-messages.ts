import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), event_id: z.string() });

const instant = instantOf(sql.fragment`at`);
const recipient = sql.fragment`
  coalesce('customer ' || m.customer_id, 'a contact of store ' || case when m.contact_id is not null then m.store_id end, 'a guest of the queue')`;

/** Explains what became of messages, found by their own ids or the ids of their events. Contains no text and no address. */
export async function explainMessages(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-messages', Fact)`
    with m as (select * from message where id = any(${uuids}) or event_id = any(${uuids})),
    fact (at, sentence, event_id) as (
      select m.created_at, 'A message (' || m.template || ') by ' || m.channel || ' to ' || ${recipient} || ' was created; it is now '
        || m.state || ' after ' || m.attempts || case m.attempts when 1 then ' attempt.' else ' attempts.' end, m.event_id
      from m
      union all
      select m.settled_at, 'The message (' || m.template || ') to ' || ${recipient} || ' was ' || m.state || coalesce(': ' || m.reason, '') || '.', m.event_id
      from m where m.settled_at is not null
    )
    select ${instant} as at, sentence, event_id from fact order by at limit 500`);
  return { facts, also: [] };
}
