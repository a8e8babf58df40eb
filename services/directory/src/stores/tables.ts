import { cursorKnownSql, instantOf, type LogQuery, logPageSql, type Queries } from '@corner/chassis';
import { ChangedField, logKinds } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { fromStore } from '../object/tables.ts';

const StoreRow = z.object({ id: z.string(), version: z.number(), code: z.string(), name: z.string(), status: z.enum(['live', 'dark']) });

export const listStores = (
  queries: Queries,
  storeIds: readonly string[],
  after: string | null,
  limit: number,
): Promise<readonly z.output<typeof StoreRow>[]> =>
  queries.any(sql.prepared('list-stores', StoreRow)`
    select id, version, data ->> 'code' as code, data ->> 'name' as name, data ->> 'status' as status
    from object
    where kind = 'store' and id = any(${sql.array([...storeIds], 'uuid')}) and store_id = id
      and id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit ${limit}`);

const Clash = z.object({ id: z.string() });

/**
 * Finds a store that customers may take for another one by a name: it is listed, or has an account at the payment provider, it is not the
 * person's own, and its name looks alike. Null for none.
 */
export const findLookAlike = (
  queries: Queries,
  { name, storeId, ownerId }: { readonly name: string; readonly storeId: string; readonly ownerId: string },
): Promise<z.output<typeof Clash> | null> =>
  queries.maybeOne(sql.prepared('find-look-alike', Clash)`
    select o.id from object o
    where o.kind = 'store' and look_alike(o.data ->> 'name') collate "C" = look_alike(${name}) and look_alike(${name}) <> ''
      and o.id <> ${storeId} and o.data ->> 'status' = 'live'
      and (coalesce(o.data ->> 'listing', 'open') = 'open' or o.data ->> 'connected_account_id' is not null)
      and not exists (select from works_at w where w.store_id = o.id and w.staff_id = ${ownerId} and w.role = 'owner')
    limit 1`);

const LogRow = z.object({
  id: z.number(),
  at: z.string(),
  by_id: z.string(),
  by_name: z.string().nullable(),
  kind: z.enum(logKinds),
  object_id: z.string(),
  version: z.number(),
  fields: z.array(ChangedField),
});
const LogPage = z.object({ cursor_known: z.boolean(), rows: z.array(LogRow) });

/** Reads a page of a store's log, newest first; null for an unknown store. `cursor_known` is false when the store has no row `before`. */
export const readLog = async (queries: Queries, query: LogQuery): Promise<z.output<typeof LogPage> | null> =>
  await queries.maybeOne(sql.prepared('read-directory-log', LogPage)`
    select
      ${cursorKnownSql('change', query)} as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) order by page.at desc, page.id desc) from (
        select l.id, ${instantOf(sql.fragment`l.at`)} as at, l.by_id, l.by_name, l.kind, l.object_id, l.version, l.fields
        from change l
        ${logPageSql('change', query, sql.fragment`(s.data ->> 'time_zone')`)}
      ) page), '[]') as rows
    ${fromStore(query.storeId)}`);
