import {
  type ChangedField,
  type DirectoryEntry,
  type DirectoryObject,
  listOfKind,
  type ObjectKind,
  objectSchemas,
} from '@corner/contracts';
import { changedFields } from '../../object/rules/changed-fields.ts';
import { findFaults } from '../../object/rules/faults.ts';
import { planOf } from './plan.ts';

export type ImportStore = Pick<DirectoryObject<'store'>, 'name' | 'currency' | 'time_zone' | 'closures'>;

/**
 * An entry that differs from its object. Nulls: there is no such object. `above`: the version in the stream that a take-over must exceed;
 * null for an import of a file.
 */
export interface ImportedEntry {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly data: DirectoryObject;
  readonly above: number | null;
  readonly version: number | null;
  readonly published: number | null;
  readonly before: DirectoryObject | null;
}

export interface ImportDecision {
  readonly version: number;
  readonly published: number;
  /** Null when no edit is made: it is published above another version. */
  readonly fields: readonly ChangedField[] | null;
  readonly sentences: readonly string[];
}

export function decideImport(entry: ImportedEntry, store: ImportStore | null): ImportDecision | null {
  const { kind, id, data, above } = entry;
  // An object that was written before a field existed has the default of that field.
  const before = entry.before && objectSchemas[kind].parse(entry.before);
  const fields = changedFields(kind, before, data);
  if (fields.length > 0) {
    const sentences = planOf({ kind, id, before, data, fields, store });
    return { version: (entry.version ?? 0) + 1, published: publishedAfter(entry), fields, sentences };
  }
  if (above === null) return null;
  return {
    version: entry.version ?? 1,
    published: publishedAfter(entry),
    fields: null,
    sentences: [`${kind} ${id}: published above version ${above}`],
  };
}

const publishedAfter = ({ published, above }: ImportedEntry): number => Math.max(published ?? 0, above ?? 0) + 1;

export function parseEntry({ kind, id, data }: DirectoryEntry): DirectoryEntry | string {
  const { data: parsed, faults } = findFaults(kind, data);
  if (!parsed || faults.length > 0) return faults.map((fault) => `${listOfKind[kind]} ${id}: ${fault}`).join('\n');
  const own = 'id' in parsed ? parsed.id : parsed.store_id;
  return own === id ? { kind, id, data: parsed } : `${listOfKind[kind]} ${id}: its data has the id ${own}`;
}
