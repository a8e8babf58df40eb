import type { Producer } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import type { IncomingEvent } from './incoming-event.ts';

export const directory = 'directory' satisfies Producer;

/** Records the newest version of each object of the directory among these events. */
export async function recordSnapshots(tx: Transaction, events: readonly IncomingEvent[]): Promise<void> {
  const newest = new Map<string, IncomingEvent['envelope']>();
  for (const { envelope } of events) {
    if (envelope.source !== `/${directory}`) continue;
    const key = `${envelope.type} ${envelope.subject}`;
    if ((newest.get(key)?.sequence ?? 0) < envelope.sequence) newest.set(key, envelope);
  }
  if (newest.size === 0) return;
  // Sorted, so that two transactions lock the rows in one order.
  const rows = [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, envelope]) => envelope);
  await tx.query(sql.prepared('record-snapshots', z.object({}))`
    insert into snapshot_version (type, object_id, version)
    select * from unnest(
      ${sql.array(
        rows.map(({ type }) => type),
        'text',
      )},
      ${sql.array(
        rows.map(({ subject }) => subject),
        'text',
      )},
      ${sql.array(
        rows.map(({ sequence }) => sequence),
        'int8',
      )})
    on conflict (type, object_id) do update set version = excluded.version where snapshot_version.version < excluded.version`);
}

/** Returns the snapshots that are newer than what was processed of their objects. */
export async function newerAmong(database: Database, events: readonly IncomingEvent[]): Promise<IncomingEvent[]> {
  if (events.length === 0) return [];
  const rows = await database.any(sql.prepared(
    'versions-of-objects',
    z.object({ type: z.string(), object_id: z.string(), version: z.number() }),
  )`
    select type, object_id, version from snapshot_version join unnest(
      ${sql.array(
        events.map(({ envelope }) => envelope.type),
        'text',
      )},
      ${sql.array(
        events.map(({ envelope }) => envelope.subject),
        'text',
      )}) as asked (type, object_id) using (type, object_id)`);
  const versions = new Map(rows.map(({ type, object_id, version }) => [`${type} ${object_id}`, version]));
  return events.filter(({ envelope }) => envelope.sequence > (versions.get(`${envelope.type} ${envelope.subject}`) ?? 0));
}
