import { type DirectoryEntry, type Envelope, type ObjectKind, objectKinds } from '@corner/contracts';

export interface StoredSnapshot {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether a relay published it, as this service does. */
  readonly numbered: boolean;
}

export function snapshotIn({ type, subject, sequence, data }: Envelope, numbered: boolean): StoredSnapshot | null {
  const kind = objectKinds.find((known) => known === type);
  if (!kind || typeof data !== 'object' || data === null) return null;
  return { kind, id: subject, version: sequence, data: data as StoredSnapshot['data'], numbered };
}

export function entryOfSnapshot({ kind, id, data: { version: _version, ...data } }: StoredSnapshot): DirectoryEntry {
  return { kind, id, data };
}

export function describeForeign({ kind, id, numbered }: StoredSnapshot, count: number): string {
  const whose = numbered
    ? 'the database of this service was restored or emptied after it published them'
    : 'another producer publishes as directory, and must be stopped first';
  const what = count === 1 ? 'a snapshot that is' : `${count} snapshots that are`;
  return `the stream holds ${what} newer than this service’s own, such as ${kind} ${id}: ${whose}. \`corner directory take-over\` imports them`;
}
