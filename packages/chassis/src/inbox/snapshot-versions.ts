import { createHash } from 'node:crypto';
import type { Envelope, Producer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { NoColumns } from '../database/columns.ts';
import type { Database, Transaction } from '../database/database.ts';
import { canonicalJson } from '../http/bodies.ts';
import type { IncomingEvent } from './incoming-event.ts';

export const directory = 'directory' satisfies Producer;

export interface SnapshotVersion {
  readonly type: string;
  readonly object_id: string;
  readonly version: number;
  readonly digest: string;
}

export const snapshotVersionOf = ({ type, subject, sequence, data }: Envelope): SnapshotVersion => ({
  type,
  object_id: subject,
  version: sequence,
  digest: digestOf(data ?? null),
});

/** Returns an empty text for data that is nested too deep to be compared. */
function digestOf(data: unknown): string {
  try {
    return createHash('md5').update(canonicalJson(data)).digest('hex');
  } catch {
    return '';
  }
}

export const objectOf = ({ type, object_id }: Pick<SnapshotVersion, 'type' | 'object_id'>): string => `${type} ${object_id}`;

export async function recordSnapshots(tx: Transaction, events: readonly IncomingEvent[]): Promise<void> {
  const newest = new Map<string, IncomingEvent['envelope']>();
  for (const { envelope } of events) {
    if (envelope.source !== `/${directory}`) continue;
    const key = `${envelope.type} ${envelope.subject}`;
    if ((newest.get(key)?.sequence ?? 0) < envelope.sequence) newest.set(key, envelope);
  }
  if (newest.size === 0) return;
  // Sorted, so that two transactions lock the rows in one order.
  const rows = [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, envelope]) => snapshotVersionOf(envelope));
  await tx.query(sql.prepared('record-snapshots', NoColumns)`
    with recorded as (
      insert into snapshot_version (type, object_id, version, digest)
      select * from ${rowsSql(rows)} as given
      on conflict (type, object_id) do update set version = excluded.version, digest = excluded.digest
      where snapshot_version.version < excluded.version
      returning type, object_id)
    delete from ignored_snapshot i using recorded r where i.type = r.type and i.object_id = r.object_id`);
}

export interface ProcessedVersion extends Omit<SnapshotVersion, 'digest'> {
  readonly digest: string | null;
  /** The version of the object's newest snapshot if that is ignored, else null. */
  readonly ignored: number | null;
}

const ProcessedRow = z.object({
  type: z.string(),
  object_id: z.string(),
  version: z.number(),
  digest: z.string().nullable(),
  ignored: z.number().nullable(),
});

export async function processedVersions(
  database: Database,
  objects: readonly Pick<SnapshotVersion, 'type' | 'object_id'>[],
): Promise<ReadonlyMap<string, ProcessedVersion>> {
  if (objects.length === 0) return new Map();
  const rows = await database.any(sql.prepared('versions-of-objects', ProcessedRow)`
    select s.type, s.object_id, s.version, s.digest,
      (select i.version from ignored_snapshot i where i.type = s.type and i.object_id = s.object_id) as ignored
    from snapshot_version s join unnest(
      ${sql.array(
        objects.map(({ type }) => type),
        'text',
      )},
      ${sql.array(
        objects.map(({ object_id }) => object_id),
        'text',
      )}) as asked (type, object_id) using (type, object_id)`);
  return new Map(rows.map((row) => [objectOf(row), row]));
}

const column = (values: readonly (string | number)[], type: string) => sql.array(values, type);

export const rowsSql = (rows: readonly SnapshotVersion[]) => sql.fragment`unnest(
      ${column(
        rows.map(({ type }) => type),
        'text',
      )},
      ${column(
        rows.map(({ object_id }) => object_id),
        'text',
      )},
      ${column(
        rows.map(({ version }) => version),
        'int8',
      )},
      ${column(
        rows.map(({ digest }) => digest),
        'text',
      )})`;
