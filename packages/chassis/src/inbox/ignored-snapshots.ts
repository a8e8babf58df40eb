import { sql } from 'slonik';
import { z } from 'zod';
import type { Broker } from '../broker/broker.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Log } from '../telemetry/log.ts';
import { parseEnvelope } from './incoming-event.ts';
import {
  directory,
  objectOf,
  type ProcessedVersion,
  processedVersions,
  rowsSql,
  type SnapshotVersion,
  snapshotVersionOf,
} from './snapshot-versions.ts';

export interface MetSnapshot extends SnapshotVersion {
  readonly messageSubject: string;
}

export interface NoticeOptions {
  readonly broker: Broker;
  readonly database: Database;
  readonly log: Log;
}

const pageSize = 50;

/**
 * Records and logs the objects among these whose newest snapshot in the stream is ignored: it is not above the one processed. Ends the
 * record of those whose newest is the one processed. A snapshot that a newer one has replaced in the stream does not count.
 */
export async function noticeIgnored(options: NoticeOptions, met: readonly MetSnapshot[]): Promise<void> {
  const processed = await processedVersions(options.database, met);
  const suspects = met.filter((snapshot) => changesRecord(snapshot, processed.get(objectOf(snapshot))));
  for (let from = 0; from < suspects.length; from += pageSize) {
    const page = suspects.slice(from, from + pageSize);
    const newest = await Promise.all(
      [...new Set(page.map(({ messageSubject }) => messageSubject))].map((subject) => readNewest(options.broker, subject)),
    );
    await record(
      options,
      newest.flatMap((one) => one ?? []),
      processed,
    );
  }
}

function changesRecord({ version, digest }: SnapshotVersion, processed: ProcessedVersion | undefined): boolean {
  if (!processed || version > processed.version) return false;
  const isProcessed = version === processed.version && (processed.digest ?? digest) === digest;
  return isProcessed ? processed.ignored !== null : processed.ignored !== version;
}

async function readNewest(broker: Broker, subject: string): Promise<SnapshotVersion | null> {
  try {
    const message = await broker.newestStored(directory, subject);
    return message && snapshotVersionOf(parseEnvelope(message.string()));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

const Begun = z.object({ type: z.string(), object_id: z.string(), version: z.number(), processed_version: z.number() });

/** The processed versions were read before the newest snapshots: where one has changed since, nothing is recorded. */
async function record(
  { database, log }: NoticeOptions,
  newest: readonly SnapshotVersion[],
  before: ReadonlyMap<string, ProcessedVersion>,
): Promise<void> {
  if (newest.length === 0) return;
  const versionsBefore = sql.array(
    newest.map((one) => before.get(objectOf(one))?.version ?? 0),
    'int8',
  );
  const begun = await database.any(sql.prepared('record-ignored-snapshots', Begun)`
    with compared as (
      select s.type, s.object_id, n.version, s.version as processed_version,
        s.version = n.version and coalesce(s.digest = n.digest, true) as is_processed
      from rows from (${rowsSql(newest)}, unnest(${versionsBefore})) as n (type, object_id, version, digest, version_before)
      join snapshot_version s on s.type = n.type and s.object_id = n.object_id and s.version = n.version_before and s.version >= n.version
    ), ended as (
      delete from ignored_snapshot i using compared c where c.is_processed and i.type = c.type and i.object_id = c.object_id
    )
    insert into ignored_snapshot (type, object_id, version, processed_version)
    select type, object_id, version, processed_version from compared where not is_processed
    on conflict (type, object_id) do update
      set version = excluded.version, processed_version = excluded.processed_version, noticed_at = clock_timestamp()
      where ignored_snapshot.version <> excluded.version
    returning type, object_id, version, processed_version`);
  for (const { version, processed_version, ...object } of begun)
    log.warn(
      { object: objectOf(object), newest_version: version, processed_version },
      'the newest snapshot of an object of the directory is ignored: publish it above the version that was processed',
    );
}

const Ignored = Begun.extend({ count: z.number() });
const named = 3;

const readIgnored = (database: Queries) =>
  database.any(sql.prepared('read-ignored-snapshots', Ignored)`
    select type, object_id, version, max(processed_version) over () as processed_version, count(*) over () as count
    from ignored_snapshot order by type, object_id limit ${named}`);

export const countIgnored = (database: Database): Promise<number> =>
  database.oneFirst(
    sql.prepared('count-ignored-snapshots', z.object({ count: z.number() }))`select count(*) as count from ignored_snapshot`,
  );

/** Describes the objects whose newest snapshot is ignored, and the remedy. Null for none, or when the database does not reply. */
export async function describeIgnored(database: Queries): Promise<string | null> {
  const rows = await readIgnored(database).catch(() => []);
  const [first] = rows;
  if (!first) return null;
  const { count, processed_version } = first;
  const names = rows.map(objectOf).join(', ');
  const more = count > rows.length ? ` and ${count - rows.length} more` : '';
  return `ignores the newest snapshot of ${names}${more}, whose version is not above the one processed: publish ${count === 1 ? 'it' : 'each'} above version ${processed_version}`;
}
