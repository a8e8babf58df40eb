/** The steps to a place in an object: fields, and in a list the keys of its entries, or their indexes where they have none. */
export type Path = readonly string[];

/** A place where two people have set different values. Undefined is a removed entry. */
export interface Conflict {
  readonly path: Path;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged<T> {
  readonly merged: T;
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges two edits of one object, field by field, and entry by entry in lists whose entries have keys. Where both have changed a place,
 * mine stands and the place is a conflict. The order of a list is mine where I have changed it, else theirs.
 */
export function mergeEdits<T>(base: T, mine: T, theirs: T): Merged<T> {
  const conflicts: Conflict[] = [];
  return { merged: merge({ base, mine, theirs }, [], conflicts) as T, conflicts };
}

interface Three {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

function merge({ base, mine, theirs }: Three, path: Path, conflicts: Conflict[]): unknown {
  if (isSame(mine, base)) return theirs;
  if (isSame(theirs, base) || isSame(mine, theirs)) return mine;
  if (isKeyed(base) && isKeyed(mine) && isKeyed(theirs)) return mergeLists(base, mine, theirs, path, conflicts);
  if (isRecord(base) && isRecord(mine) && isRecord(theirs)) {
    const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    const fieldOf = (name: string) => merge({ base: base[name], mine: mine[name], theirs: theirs[name] }, [...path, name], conflicts);
    return Object.fromEntries(names.map((name) => [name, fieldOf(name)]));
  }
  conflicts.push({ path, mine, theirs });
  return mine;
}

function mergeLists(base: Entries, mine: Entries, theirs: Entries, path: Path, conflicts: Conflict[]): unknown[] {
  const [was, my, their] = [byKey(base), byKey(mine), byKey(theirs)];
  const keys = isMoved(base, mine) ? [...my.keys(), ...their.keys()] : [...their.keys(), ...my.keys()];
  return [...new Set(keys)].flatMap((key) => {
    const entry = merge({ base: was.get(key), mine: my.get(key), theirs: their.get(key) }, [...path, key], conflicts);
    return entry === undefined ? [] : [entry];
  });
}

/** Whether the entries that both lists have are in another order. */
export const isMoved = (before: readonly unknown[], after: readonly unknown[]): boolean => {
  const [was, is] = [byKey(before), byKey(after)];
  return [...was.keys()].filter((key) => is.has(key)).join() !== [...is.keys()].filter((key) => was.has(key)).join();
};

/** The key of an entry of a list; null for a value without one. */
export function keyOf(entry: unknown): string | null {
  const { uid, id } = (entry ?? {}) as { readonly uid?: unknown; readonly id?: unknown };
  const key = uid ?? id;
  return typeof key === 'string' ? key : null;
}

type Entries = readonly unknown[];
const byKey = (entries: Entries): ReadonlyMap<string, unknown> => new Map(entries.map((entry) => [String(keyOf(entry)), entry]));
const isKeyed = (value: unknown): value is Entries => Array.isArray(value) && value.every((entry) => keyOf(entry) !== null);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two JSON values are equal. The order of fields does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]));
}

/** Returns the value at a place; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, step) => {
    if (Array.isArray(here)) return here[indexOf(here, step)];
    return isRecord(here) ? here[step] : undefined;
  }, value);

/** Returns the object with another value at a place. Undefined removes an entry of a list. */
export function withValueAt<T>(value: T, path: Path, next: unknown): T {
  const [step, ...rest] = path;
  if (step === undefined) return next as T;
  if (Array.isArray(value)) {
    const index = indexOf(value, step);
    const entry = withValueAt(value[index], rest, next);
    const at = index < 0 ? value.length : index;
    return value.toSpliced(at, 1, ...(entry === undefined ? [] : [entry])) as T;
  }
  return { ...value, [step]: withValueAt((value as Readonly<Record<string, unknown>>)[step], rest, next) } as T;
}

const indexOf = (list: Entries, step: string): number => {
  const found = list.findIndex((entry) => keyOf(entry) === step);
  return found < 0 && /^\d+$/.test(step) ? Number(step) : found;
};
