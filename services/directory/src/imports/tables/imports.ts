import { NoColumns, type Queries } from '@corner/chassis';
import { DirectoryEntry, type DirectoryObject, Imported, objectKinds } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** An entry of an import. `above` is the version in the stream that a take-over must exceed; absent for an import of a file. */
export const StagedEntry = DirectoryEntry.extend({ above: z.int().optional() });
export type StagedEntry = z.output<typeof StagedEntry>;

export interface Part {
  readonly importId: string;
  readonly part: number;
}

/** Saves a part of an import, in place of one with its number, unless the import was made. Deletes parts that were staged a day ago. */
export async function savePart(queries: Queries, { importId, part }: Part, entries: readonly StagedEntry[], now: Date): Promise<void> {
  await queries.query(sql.prepared('save-import-part', NoColumns)`
    with deleted as (
      delete from import_part where staged_at < ${now.toISOString()}::timestamptz - interval '1 day'
    )
    insert into import_part (import_id, part, entries, staged_at)
    values (${importId}, ${part}, ${sql.jsonb(entries)}, ${now.toISOString()})
    on conflict (import_id, part) do update set entries = excluded.entries, plan = null
    where import_part.result is null`);
}

export const lockImports = (queries: Queries): Promise<boolean> =>
  queries.oneFirst(sql.prepared('lock-imports', z.object({ locked: z.boolean() }))`
    select pg_try_advisory_xact_lock(hashtext('directory import')) as locked`);

/**
 * `result`: null until the import was made. `takes_over`: it takes over snapshots of the stream. `twice`: an object that occurs twice; null
 * for none.
 */
const StagedState = z.object({
  parts: z.array(z.number()),
  result: Imported.nullable(),
  takes_over: z.boolean(),
  twice: z.string().nullable(),
});

export const readStaged = (queries: Queries, importId: string): Promise<z.output<typeof StagedState>> =>
  queries.one(sql.prepared('read-staged-import', StagedState)`
    select coalesce(array_agg(part order by part), '{}') as parts, (array_agg(result order by part))[1] as result,
      coalesce(bool_or(jsonb_path_exists(entries, '$[*].above')), false) as takes_over, (
      select e.kind || ' ' || e.id
      from import_part p cross join lateral jsonb_to_recordset(p.entries) as e (kind text, id uuid)
      where p.import_id = ${importId}
      group by e.kind, e.id having count(*) > 1 limit 1
    ) as twice
    from import_part where import_id = ${importId}`);

/**
 * Locks the objects that an import names, and slots and floor of its stores, which follow their time zone. In the order of kinds, then ids, as
 * every change of several objects does.
 */
export async function lockNamed(queries: Queries, importId: string): Promise<void> {
  await queries.query(sql.prepared('lock-imported-objects', NoColumns)`
    with named as (
      select e.kind, e.id from import_part p cross join lateral jsonb_to_recordset(p.entries) as e (kind text, id uuid)
      where p.import_id = ${importId}
    ), wanted as materialized (
      select kind, id from (
        select kind, id from named
        union select follower, id from named cross join (values ('slots'), ('floor')) f (follower) where kind = 'store'
      ) w
      order by array_position(${sql.array([...objectKinds], 'text')}, kind), id
    )
    select 1 from wanted w
    cross join lateral (select 1 from object o where o.kind = w.kind and o.id = w.id limit 1 for no key update) locked`);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const Difference = z.object({
  kind: z.enum(objectKinds),
  id: z.string(),
  data: z.custom<DirectoryObject>(isObject),
  above: z.number().nullable(),
  version: z.number().nullable(),
  published: z.number().nullable(),
  before: z.custom<DirectoryObject>(isObject).nullable(),
});

export const readDifferences = (queries: Queries, { importId, part }: Part): Promise<readonly z.output<typeof Difference>[]> =>
  queries.any(sql.prepared('read-import-differences', Difference)`
    select e.kind, e.id, e.data, e.above, o.version, o.published, o.data as before
    from import_part p
    cross join lateral jsonb_to_recordset(p.entries) as e (kind text, id uuid, data jsonb, above bigint)
    left join lateral (select version, published, data from object where kind = e.kind and id = e.id limit 1) o on true
    where p.import_id = ${importId} and p.part = ${part} and (o.data is distinct from e.data or e.above >= o.published)
    order by array_position(${sql.array([...objectKinds], 'text')}, e.kind), e.id`);

const CountRow = z.object({ entries: z.number() });

export const countEntries = (queries: Queries, importId: string): Promise<number> =>
  queries.oneFirst(sql.prepared('count-import-entries', CountRow)`
    select coalesce(sum(jsonb_array_length(entries)), 0) as entries from import_part where import_id = ${importId}`);

export async function savePlans(queries: Queries, importId: string, plans: ReadonlyMap<number, readonly string[]>): Promise<void> {
  for (const [part, sentences] of plans)
    await queries.query(sql.prepared('save-import-plan', NoColumns)`
      update import_part set plan = ${sql.jsonb(sentences)} where import_id = ${importId} and part = ${part}`);
}

export async function recordImport(queries: Queries, importId: string, result: Imported): Promise<void> {
  await queries.query(sql.prepared('record-import', NoColumns)`
    update import_part set result = ${sql.jsonb(result)}, entries = '[]' where import_id = ${importId}`);
}

const PlanRow = z.object({ part: z.number(), plan: z.array(z.string()) });

export const readPlan = (queries: Queries, { importId, part }: Part): Promise<z.output<typeof PlanRow> | null> =>
  queries.maybeOne(sql.prepared('read-import-plan', PlanRow)`
    select part, plan from import_part
    where import_id = ${importId} and part >= ${part} and plan <> '[]' order by part limit 1`);

const EventId = z.object({ event_id: z.string() });

export async function notePublished(
  queries: Queries,
  { importId, part }: Part,
  snapshots: readonly { readonly kind: string; readonly id: string; readonly published: number }[],
): Promise<void> {
  await queries.query(sql.prepared('note-import-snapshots', NoColumns)`
    update import_part set event_ids = event_ids || array(
      select o.event_id from jsonb_to_recordset(${sql.jsonb(snapshots)}) as s (kind text, id text, published bigint)
      cross join lateral (
        select event_id from outbox where aggregate_id = s.id and aggregate_sequence = s.published and type = s.kind limit 1) o)
    where import_id = ${importId} and part = ${part}`);
}

export const readPublished = (queries: Queries, importId: string): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('read-import-snapshots', EventId)`
    select unnest(event_ids) as event_id from import_part where import_id = ${importId} order by part`);
