import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const StampingStore = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  nfcEnforced: z.boolean(),
});
/** A store as those see it who bring stamps to it. `enabled` is whether it runs a programme. */
export type StampingStore = z.output<typeof StampingStore>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a store by its id or its short code, in any case. */
export async function findStore(queries: Queries, named: string): Promise<StampingStore | null> {
  const [name, match] = uuid.test(named)
    ? ['store-by-id', sql.fragment`s.id = ${named}`]
    : ['store-by-code', sql.fragment`upper(s.code) = upper(${named})`];
  return await queries.maybeOne(sql.prepared(name, StampingStore)`
    select s.id, s.code, s.name, coalesce(p.enabled, false) as enabled, coalesce((p.settings ->> 'nfc_enforced')::boolean, false) as "nfcEnforced"
    from store s left join programme p on p.store_id = s.id
    where ${match} order by s.id limit 1`);
}
