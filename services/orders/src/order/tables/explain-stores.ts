import { type Explained, instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Fact = z.object({ at: z.string(), sentence: z.string(), of: z.string() });

/**
 * Returns how stores stand now, by their ids. A store's code, and the account it is paid to, lead to its id, by which the other services
 * have more on record; so how it stands is said once.
 */
export async function explainStores(queries: Queries, ids: readonly string[], now: Date): Promise<Explained> {
  const names = sql.array([...ids], 'text');
  const codes = sql.array(
    ids.map((id) => id.toUpperCase()),
    'text',
  );
  const uuids = sql.array(
    ids.filter((id) => z.guid().safeParse(id).success),
    'uuid',
  );
  const facts = await queries.any(sql.prepared('explain-stores', Fact)`
    with s as materialized (
      select * from store where id = any(${uuids}) or upper(code) = any(${codes}) or connected_account_id = any(${names}) limit 20
    )
    select ${instantOf(sql.fragment`${now.toISOString()}::timestamptz`)} as at, s.id as of,
      'Store ' || s.code || ' (' || s.id || ') is now ' || case when s.live then 'live' else 'not live' end
      || case when s.paused_until > ${now.toISOString()} then ', accepts no orders until ' || ${instantOf(sql.fragment`s.paused_until`)} else '' end
      || coalesce(', and is paid to ' || s.connected_account_id, ', and has no payment account')
      || coalesce((
        select case when a.accepts_orders then ', which the provider does not restrict'
          else ', which the provider restricts since ' || coalesce(${instantOf(sql.fragment`a.restricted_since`)}, 'an unknown time') || ': ' || a.reasons end
        from store_account a where a.store_id = s.id and a.account_id = s.connected_account_id), '') || '.' as sentence
    from s`);
  const named = (storeId: string) => ids.some((id) => id.toLowerCase() === storeId);
  return {
    facts: facts.filter(({ of }) => named(of)),
    also: facts.flatMap(({ of }) => (named(of) ? [] : [of])),
  };
}
