import { insertEventsSql, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { type ChangedBy, type ChangedField, type DirectoryObject, type ObjectKind, objectSchemas } from '@corner/contracts';
import { CheckIntegrityConstraintViolationError, type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';

/**
 * `version` counts the edits; `published` is the version of the last snapshot. `last_request`: the request that made the last change; null
 * when it had no Idempotency-Key.
 */
const ObjectRow = z.object({
  version: z.number(),
  published: z.number(),
  data: z.custom<DirectoryObject>((data) => typeof data === 'object' && data !== null),
  last_request: z.string().nullable(),
});
type Row<K extends ObjectKind> = Omit<z.output<typeof ObjectRow>, 'data'> & { readonly data: DirectoryObject<K> };

/** An object's place: its kind, its id, and the store that it belongs to; null for a customer or a person. */
export interface ObjectPlace<K extends ObjectKind = ObjectKind> {
  readonly kind: K;
  readonly id: string;
  readonly storeId: string | null;
}

/**
 * Returns the clauses that select a store's row as `s`. The kind is a value: as a condition it would let the index of names, which holds
 * stores alone, cost as little as the primary key on a young table.
 */
export const fromStore = (storeId: string): FragmentSqlToken => sql.fragment`
    from object s where s.kind = ${'store'} and s.id = ${storeId} and s.store_id = s.id`;

/** Reads an object. Null when it does not exist or belongs to another store. */
export const findObject = async <K extends ObjectKind>(queries: Queries, { kind, id, storeId }: ObjectPlace<K>): Promise<Row<K> | null> =>
  completed(
    kind,
    await queries.maybeOne(sql.prepared('find-object', ObjectRow)`
    select version, published, data, last_request from object
    where kind = ${kind} and id = ${id} and store_id is not distinct from ${storeId}::uuid`),
  );

/** Locks an object and returns it as {@link findObject} does. Objects are locked in the order of their kinds, the store first. */
export const lockObject = async <K extends ObjectKind>(tx: Transaction, { kind, id, storeId }: ObjectPlace<K>): Promise<Row<K> | null> =>
  completed(
    kind,
    await tx.maybeOne(sql.prepared('lock-object', ObjectRow)`
    select version, published, data, last_request from object
    where kind = ${kind} and id = ${id} and store_id is not distinct from ${storeId}::uuid
    for update`),
  );

/** An object that was stored before its kind got a field has the field's default. */
const completed = <K extends ObjectKind>(kind: K, row: z.output<typeof ObjectRow> | null): Row<K> | null =>
  row && ({ ...row, data: objectSchemas[kind].safeParse(row.data).data ?? row.data } as Row<K>);

/**
 * `version`: the one after the change; the row has the one before it, or is new with version 1. `loggedAt`: the store whose log shows the
 * change; null when customers change their own data.
 */
export interface ObjectWrite extends ObjectPlace {
  readonly version: number;
  readonly published: number;
  readonly data: DirectoryObject;
  readonly publishedUntil: string | null;
  readonly requestId: string | null;
  readonly loggedAt: string | null;
  readonly by: ChangedBy;
  readonly fields: readonly ChangedField[];
}

export interface IdTaken {
  readonly list: string;
  readonly taken: string;
}

/** Reads the id from the detail of Postgres's error: `(list, id)=(promos, 0190…)`. */
function takenId(error: UniqueIntegrityConstraintViolationError): IdTaken {
  const { detail } = (error as { readonly cause?: { readonly detail?: string } }).cause ?? {};
  const [, list = 'id', taken = ''] = /\)=\((\w+), ([0-9a-f-]{36})\)/.exec(detail ?? '') ?? [];
  return { list, taken };
}

/**
 * Writes a changed object with its row of the log and its snapshot, in one statement. Returns `lost` when another transaction created the
 * object meanwhile: of two that create one, the second waits for the first and writes nothing.
 */
export async function saveObject(
  tx: Transaction,
  write: ObjectWrite,
  event: OutboxEntry,
): Promise<'saved' | 'lost' | 'code-taken' | 'tag-taken' | 'too-large' | IdTaken> {
  const { kind, id, storeId, version, by } = write;
  const startsAt = kind === 'booking' ? (write.data as DirectoryObject<'booking'>).starts_at : null;
  try {
    const saved = await tx.maybeOne(sql.prepared('save-object', z.object({ saved_version: z.number() }))`
      with saved as (
        insert into object (kind, id, store_id, version, published, data, published_until, starts_at, last_request, changed_at)
        values (
          ${kind}, ${id}, ${storeId}::uuid, ${version}, ${write.published}, ${sql.jsonb(write.data)}, ${write.publishedUntil}::date,
          ${startsAt}::timestamptz, ${write.requestId}::uuid, ${tx.now.toISOString()}::timestamptz)
        on conflict (kind, id) do update
        set version = excluded.version, published = excluded.published, data = excluded.data, published_until = excluded.published_until,
          starts_at = excluded.starts_at, last_request = excluded.last_request, changed_at = excluded.changed_at
        where object.version = excluded.version - 1 and object.store_id is not distinct from excluded.store_id
        returning object.version as saved_version
      ), logged as (
        insert into change (store_id, kind, object_id, version, at, by_id, by_name, fields)
        select ${write.loggedAt}::uuid, ${kind}, ${id}, saved.saved_version, ${tx.now.toISOString()}::timestamptz, ${by.id}, ${by.name},
          ${sql.jsonb(write.fields)}
        from saved
      ), published as (${insertEventsSql(tx, [event], sql.fragment`cross join saved`)})
      select saved_version from saved`);
    return saved ? 'saved' : 'lost';
  } catch (error) {
    if (error instanceof CheckIntegrityConstraintViolationError && error.constraint === 'object_is_not_too_large') return 'too-large';
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    if (error.constraint === 'one_store_for_a_code') return 'code-taken';
    if (error.constraint === 'one_store_for_a_tag') return 'tag-taken';
    if (error.constraint === 'one_store_for_an_id') return takenId(error);
    throw error;
  }
}

/** Publishes an unchanged object again, in one statement: its version stays. */
export const saveSnapshot = async (
  tx: Transaction,
  { kind, id, storeId, published, publishedUntil }: ObjectPlace & Pick<ObjectWrite, 'published' | 'publishedUntil'>,
  event: OutboxEntry,
): Promise<void> => {
  await tx.query(sql.prepared('save-snapshot', NoColumns)`
    with saved as (
      update object set published = ${published}, published_until = ${publishedUntil}::date
      where kind = ${kind} and id = ${id} and store_id is not distinct from ${storeId}::uuid
      returning 1 as saved
    )
    ${insertEventsSql(tx, [event], sql.fragment`cross join saved`)}`);
};
