import type * as contracts from '@corner/contracts';
import { type Setting, storeSettings } from '@corner/contracts/settings';
import { isMoved, isSame, type Path } from '@corner/page-kit/logic/merge';
import type { z } from 'zod';
import { plural } from '../../../logic/format.ts';
import { weekText } from '../../../logic/week.ts';

type Replies = typeof contracts.directory;
export type DirectoryStore = z.output<Replies['readDirectoryStore']['reply']>['store'];

/** A kind of object of the directory, as pages edit it. */
export interface ObjectOf<T> {
  /** Its name in replies, in the log and as the type of its event. */
  readonly kind: 'store' | 'menu' | 'slots' | 'programme' | 'floor';
  /** What a person calls it. */
  readonly title: string;
  /** The path that reads and changes it. */
  readonly path: (storeId: string) => string;
  /** The body that turns what is saved into the draft. */
  readonly changes: (saved: T, draft: T) => object;
  /** What a person calls its fields; the name of the field for any other. */
  readonly labels: Readonly<Record<string, string>>;
  /** Those that have controls by the contract. */
  readonly settings?: Readonly<Record<string, Setting>>;
  /** How a value is said where two people have set different ones; undefined leaves it to the usual way. */
  readonly say?: (path: Path, value: unknown) => string | undefined;
}

/** The reply of its read and of its change. */
export type ReplyOf<T> = { readonly version: number } & { readonly [Kind in ObjectOf<T>['kind']]?: T };

export const directoryPath = (storeId: string, rest = ''): string => `/api/v1/directory/stores/${encodeURIComponent(storeId)}${rest}`;

/** Returns the fields of the draft that differ from what is saved. */
export const changedFields = <T extends object>(saved: T, draft: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSame(value, (saved as Record<string, unknown>)[name])),
  ) as Partial<T>;

/** What a change of a list with keys names: entries with their changed fields, the keys that are gone, and the order where it is another. */
export interface ListChanges {
  readonly upsert: readonly object[];
  readonly remove: readonly string[];
  readonly order: readonly string[] | null;
}

/** Returns what turns the saved list into that of the draft. A new entry stands where the draft has it. */
export function listChanges<E extends object>(saved: readonly E[], draft: readonly E[], key: keyof E & string): ListChanges {
  const before = new Map(saved.map((entry) => [String(entry[key]), entry]));
  const keys = draft.map((entry) => String(entry[key]));
  const isAppended = draft.findIndex((entry) => !before.has(String(entry[key])));
  const inOrder = isAppended < 0 || keys.slice(isAppended).every((each) => !before.has(each));
  return {
    upsert: draft.flatMap((entry) => {
      const was = before.get(String(entry[key]));
      const changed = was ? changedFields(was, entry) : entry;
      return Object.keys(changed).length === 0 ? [] : [{ [key]: entry[key], ...changed }];
    }),
    remove: [...before.keys()].filter((each) => !keys.includes(each)),
    order: inOrder && !isMoved(saved, draft) ? null : keys,
  };
}

/** What a person calls each setting where it stands alone. */
export const labelsOf = (settings: Readonly<Record<string, Setting>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).map(([name, { label, alone }]) => [name, alone ?? label]));

/** The settings of a store. */
export const storeObject: ObjectOf<DirectoryStore> = {
  kind: 'store',
  title: 'Settings',
  path: (storeId) => directoryPath(storeId),
  changes(saved, draft) {
    const { branding, address, ...fields } = changedFields(saved, draft);
    return {
      ...fields,
      ...(branding ? { branding: changedFields(saved.branding, branding) } : {}),
      ...(address === undefined ? {} : { address: address && { ...address, lines: address.lines.filter((line) => line.trim() !== '') } }),
    };
  },
  settings: storeSettings,
  labels: { ...labelsOf(storeSettings), lines: 'Street', postcode: 'Postcode', city: 'City', country: 'Country' },
  say([field, ...rest], value) {
    if (field === 'hours' && rest.length === 0) return weekText(value as DirectoryStore['hours']);
    if (field === 'closures') return plural((value as DirectoryStore['closures']).length, 'closure');
    if (field === 'contacts') return plural((value as DirectoryStore['contacts']).length, 'contact');
    return field === 'address' && rest.length === 0 && value ? Object.values(value).flat().join(', ') : undefined;
  },
};
