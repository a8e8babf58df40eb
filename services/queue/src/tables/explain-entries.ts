import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({
  at: z.string(),
  sentence: z.string(),
  of: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
});

/** Finds entries by event id, entry_id or appointment. An entry_id is a credential and is not returned; guests are not named. */
export async function explainEntries(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const uuids = uuidsIn(ids);
  const facts = await queries.any(sql.prepared('explain-entries', Fact)`
    with e as (
      select * from entry where id = any(${uuids}) or entry_id = any(${uuids})
        or id = any(array(select s.entry_ref from seat s where s.appointment_id = any(${uuids})))
    ),
    fact (at, sentence, of) as (
      ${joinedFacts}
      union all
      select e.called_at, 'The entry was called' || coalesce(', and held until ' || to_char(e.hold_until at time zone 'utc', 'HH24:MI:SS'), '') || '.', e.id
      from e where e.called_at is not null
      union all
      select s.starts_at, 'A chair (' || s.unit_id || ') was given to the entry as appointment ' || s.appointment_id || '.', e.id
      from seat s join e on e.id = s.entry_ref where s.entry_ref = any(array(select e.id from e))
      union all
      select e.ended_at, 'The entry ended: ' || e.status || '.', e.id from e where e.ended_at is not null
    )
    select ${instantOf(sql.fragment`at`)} as at, sentence, of, ${whom} from fact left join e on e.id = of order by at limit 500`);
  return { facts, also: [...new Set(facts.map(({ of }) => of))] };
}

const mostEntries = 20;

/**
 * Returns one fact for each of a customer's newest entries and of a store's active ones, 20 of each; the other facts are found by an
 * entry's own id.
 */
export async function explainEntriesOf(queries: Queries, ids: readonly string[]): Promise<Explained> {
  const facts = await queries.any(sql.prepared('explain-entries-of', Fact)`
    with e as (
      select x.* from unnest(${uuidsIn(ids)}) as n(id) cross join lateral (
        (select * from entry c where c.customer_id = n.id order by c.joined_at desc limit ${mostEntries})
        union all
        (select * from entry w where w.store_id = n.id and w.status in ('waiting', 'called', 'assigned') order by w.joined_at limit ${mostEntries})
      ) x
    ), fact (at, sentence, of) as (${joinedFacts})
    select ${instantOf(sql.fragment`at`)} as at, sentence, of, ${whom} from fact left join e on e.id = of order by at`);
  return { facts, also: [] };
}

const joinedFacts = sql.fragment`
  select e.joined_at, coalesce('Customer ' || e.customer_id, 'A guest') || ' joined the queue of store ' || e.store_id || ', a party of '
    || e.party_size || ', with a quoted wait of ' || e.quoted_wait_min || ' minutes; the entry is now ' || e.status
    || case when e.status = 'waiting' and e.customer_id is null and e.by_id is null then ', and no one at the store has confirmed it' else '' end
    || '.', e.id
  from e`;

const whom = sql.fragment`e.store_id, e.customer_id`;

const uuidsIn = (ids: readonly string[]) =>
  sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
