import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), of: z.string() });

/**
 * Returns what is on record of queue entries, found by the id that events carry or by their appointment. `entry_id` is a credential, so
 * entries cannot be found by it and it is not returned. Guests are not named.
 */
export async function explainEntries(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.type(Fact)`
    with e as (select * from entry where id = any(${uuids}) or id in (select s.entry_ref from seat s where s.appointment_id = any(${uuids}))),
    fact (at, sentence, of) as (
      select e.joined_at, coalesce('Customer ' || e.customer_id, 'A guest') || ' joined the queue of store ' || e.store_id || ', a party of '
        || e.party_size || ', with a quoted wait of ' || e.quoted_wait_min || ' minutes; the entry is now ' || e.status || '.', e.id
      from e
      union all
      select e.called_at, 'The entry was called' || coalesce(', and held until ' || to_char(e.hold_until at time zone 'utc', 'HH24:MI:SS'), '') || '.', e.id
      from e where e.called_at is not null
      union all
      select s.starts_at, 'A chair (' || s.unit_id || ') was given to the entry as appointment ' || s.appointment_id || '.', e.id
      from seat s join e on e.id = s.entry_ref
      union all
      select e.ended_at, 'The entry ended: ' || e.status || '.', e.id from e where e.ended_at is not null
    )
    select ${instantOf(sql.fragment`at`)} as at, sentence, of from fact order by at limit 500`);
  return { facts, also: [...new Set(facts.map(({ of }) => of))] };
}
