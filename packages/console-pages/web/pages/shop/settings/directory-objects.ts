import type * as contracts from '@corner/contracts';
import { type Setting, storeSettings } from '@corner/contracts/settings';
import { isMoved, isSame, type Path } from '@corner/page-kit/logic/merge';
import type { z } from 'zod';
import { plural } from '../../../logic/format.ts';
import { weekText } from '../../../logic/week.ts';
import { positionText } from './positions.ts';

type Replies = typeof contracts.directory;
export type DirectoryStore = z.output<Replies['readDirectoryStore']['reply']>['store'];

/**
 * `kind` is the object's name in replies, in the log and as the type of its event; `path` reads and changes it; `changes` is the body that
 * turns the saved object into the draft. `labels` and `settings`, which have controls by the contract, name its fields; any other field is
 * shown by its own name.
 */
export interface ObjectOf<T> {
  readonly kind: 'store' | 'menu' | 'slots' | 'programme' | 'floor';
  readonly title: string;
  readonly path: (storeId: string) => string;
  readonly changes: (saved: T, draft: T) => object;
  readonly labels: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, Setting>>;
  /** Undefined for the default format of a value. */
  readonly say?: (path: Path, value: unknown) => string | undefined;
}

export type ReplyOf<T> = { readonly version: number } & { readonly [Kind in ObjectOf<T>['kind']]?: T };

export const directoryPath = (storeId: string, rest = ''): string => `/api/v1/directory/stores/${encodeURIComponent(storeId)}${rest}`;

export const changedFields = <T extends object>(saved: T, draft: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSame(value, (saved as Record<string, unknown>)[name])),
  ) as Partial<T>;

export interface ListChanges {
  readonly upsert: readonly object[];
  readonly remove: readonly string[];
  readonly order: readonly string[] | null;
}

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

export const labelsOf = (settings: Readonly<Record<string, Setting>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).map(([name, { label, alone }]) => [name, alone ?? label]));

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
    if (field === 'position' && rest.length === 0 && value) return positionText(value as NonNullable<DirectoryStore['position']>);
    return field === 'address' && rest.length === 0 && value ? Object.values(value).flat().join(', ') : undefined;
  },
};
