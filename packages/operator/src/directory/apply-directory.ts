import { randomUUID } from 'node:crypto';
import {
  consumersOfDirectory,
  type DirectoryFile,
  dataSchemaOf,
  entriesInFile,
  snapshotOfKind,
  storeOfEntry,
  subjectOf,
} from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { DirectoryFaults, parseDirectory } from './parse-directory.ts';
import { publishSnapshots, type Snapshot } from './publish-snapshots.ts';
import { waitUntilProcessed } from './wait-until-processed.ts';

export interface ApplyOptions {
  readonly connection: NatsConnection;
  readonly namespace?: string;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly withinMs?: number;
  /** Publishes above this version too, for objects of which a service has processed a higher version than the stream holds. */
  readonly above?: number;
}

export interface Applied {
  readonly published: Readonly<Record<string, number>>;
}

/**
 * Publishes directory data, each object one version above its newest in the stream, and resolves once every service has processed it;
 * rejects after `withinMs` with those that lag. A faulty file throws {@link DirectoryFaults} and publishes nothing.
 */
export async function applyDirectory(content: unknown, options: ApplyOptions): Promise<Applied> {
  const { connection, namespace = '', now = () => new Date(), newId = randomUUID, withinMs = 60_000, above = 0 } = options;
  const file = parseDirectory(content);
  const templates = templatesIn(file);
  if (templates.length > 0) throw new DirectoryFaults(templates);
  const snapshots = snapshotsOf(file, now(), newId);
  await publishSnapshots({ connection, namespace, withinMs, above }, snapshots);
  await waitUntilProcessed(
    { connection, namespace, services: consumersOfDirectory, withinMs },
    snapshots.map(({ id }) => id),
  );
  const published = Object.fromEntries(
    Object.entries(file).flatMap(([kind, entries]) => (entries.length > 0 ? [[kind, entries.length]] : [])),
  );
  return { published };
}

function templatesIn({ slots, floors }: DirectoryFile): string[] {
  const why = 'needs the directory service, which does not run here; without it nothing would renew what is published';
  return [
    ...slots.flatMap(({ template }, at) => (template.length > 0 ? [`slots[${at}].template: ${why}`] : [])),
    ...floors.flatMap(({ units }, at) =>
      units.flatMap((unit, index) =>
        (['weekly_shifts', 'weekly_breaks'] as const)
          .filter((field) => unit[field].length > 0)
          .map((field) => `floors[${at}].units[${index}].${field}: ${why}`),
      ),
    ),
  ];
}

function snapshotsOf(file: DirectoryFile, at: Date, newId: () => string): Snapshot[] {
  return entriesInFile(file).map((entry) => {
    const id = newId();
    const event = snapshotOfKind[entry.kind];
    const storeId = storeOfEntry(entry);
    return {
      id,
      object: `${event.type} ${entry.id}`,
      subject: subjectOf('directory', event, entry.id),
      envelope: (version) => ({
        specversion: '1.0',
        id,
        source: '/directory',
        type: event.type,
        dataschema: dataSchemaOf(event),
        subject: entry.id,
        time: at.toISOString(),
        datacontenttype: 'application/json',
        sequence: version,
        ...(storeId ? { storeid: storeId } : {}),
        data: event.data.parse({ ...entry.data, version }),
      }),
    };
  });
}
