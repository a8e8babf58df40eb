import { NoColumns, type Queries } from '@corner/chassis';
import type { ChangedBy, ChangedField, ObjectKind } from '@corner/contracts';
import { IntegrityConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';

/** `starts_at`: the start of a booking. `logged_at`: the store whose log shows the change. `fields`: for the log; null for none. */
export interface ImportedObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly store_id: string | null;
  readonly version: number;
  readonly published: number;
  readonly published_until: string | null;
  readonly starts_at: string | null;
  readonly logged_at: string | null;
  readonly data: object;
  readonly fields: readonly ChangedField[] | null;
}

/**
 * Writes objects, and a row of the log for each that has changed fields. The rows are locked, or new: an import is the only one that makes
 * many, and one that is made at the same time by a request fails it by its key.
 */
export async function saveImported(queries: Queries, objects: readonly ImportedObject[], by: ChangedBy, now: Date): Promise<void> {
  try {
    await queries.query(sql.prepared('save-imported-objects', NoColumns)`
      with imported as (
        select * from jsonb_to_recordset(${sql.jsonb(objects)}) as i (
          kind text, id uuid, store_id uuid, version integer, published bigint, published_until date, starts_at timestamptz, logged_at uuid,
          data jsonb, fields jsonb)
      ), saved as (
        insert into object (kind, id, store_id, version, published, published_until, starts_at, data, changed_at)
        select kind, id, store_id, version, published, published_until, starts_at, data, ${now.toISOString()} from imported
        on conflict (kind, id) do update
        set store_id = excluded.store_id, version = excluded.version, published = excluded.published,
          published_until = excluded.published_until, starts_at = excluded.starts_at, data = excluded.data, last_request = null,
          changed_at = excluded.changed_at
      )
      insert into change (store_id, kind, object_id, version, at, by_id, by_name, fields)
      select logged_at, kind, id, version, ${now.toISOString()}, ${by.id}, ${by.name}, fields from imported
      where fields is not null`);
  } catch (error) {
    const reason = error instanceof IntegrityConstraintViolationError ? refusals[error.constraint ?? ''] : undefined;
    if (reason === undefined) throw error;
    const { detail } = (error as { readonly cause?: { readonly detail?: string } }).cause ?? {};
    const key = /\)=\((.*)\)/.exec(detail ?? '')?.[1];
    throw new Unfit(key === undefined ? reason : `${reason}: ${key}`, { cause: error });
  }
}

const refusals: Readonly<Record<string, string>> = {
  one_store_for_a_code: 'another store has this code already',
  one_store_for_a_tag: 'another store has a tag with this UID',
  one_store_for_an_id: 'another store has a promo code or a slot with this id',
  object_is_not_too_large: 'an object is larger than 500 kB',
};

/** An import would give two stores one code or one tag, or an object is too large. */
export class Unfit extends Error {}

const Kept = z.object({ id: z.string(), version: z.number(), published: z.number(), data: z.record(z.string(), z.unknown()) });

export const readOfStores = (queries: Queries, kind: ObjectKind, storeIds: readonly string[]): Promise<readonly z.output<typeof Kept>[]> =>
  queries.any(sql.prepared('read-objects-of-stores', Kept)`
    select id, version, published, data from object where kind = ${kind} and id = any(${sql.array([...storeIds], 'uuid')}) order by id`);

const ExportRow = z.object({ id: z.string(), data: z.record(z.string(), z.unknown()) });

/** Returns objects of a kind after an id, in the order of ids: as many as have some 400,000 characters together, and one at least. */
export const readExportPage = (queries: Queries, kind: ObjectKind, after: string | null): Promise<readonly z.output<typeof ExportRow>[]> =>
  queries.any(sql.prepared('read-export-page', ExportRow)`
    select id, data from (
      select id, data, sum(octet_length(data::text)) over (order by id) as size, row_number() over (order by id) as place from (
        select id, data from object where kind = ${kind} and (${after}::uuid is null or id > ${after}::uuid) order by id limit 500) first
    ) page
    where size <= 400000 or place = 1 order by id`);

export const findStoreByCode = (queries: Queries, code: string): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-store-by-code', z.object({ id: z.string() }))`
    select id from object where code = upper(${code})`);
