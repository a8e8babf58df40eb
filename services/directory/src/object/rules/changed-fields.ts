import type { ChangedField, DirectoryObject, ObjectKind } from '@corner/contracts';
import { keyOf } from './faults.ts';

/** Fields that are personal, or a credential: a log names them without their values. */
const hidden: Readonly<Record<ObjectKind, readonly string[]>> = {
  store: ['contacts'],
  menu: [],
  slots: [],
  programme: ['tags.*.key_version'],
  floor: [],
  booking: [],
  customer: ['name', 'email', 'phone', 'identity_user_id', 'push_devices'],
  staff: ['name', 'cards', 'revoked_sessions'],
};

const shownLength = 300;
const shownFields = 500;

/** Returns the fields in which two states of an object differ, by dotted paths, 500 at most. `from` is null for a new object. */
export function changedFields(kind: ObjectKind, from: DirectoryObject | null, to: DirectoryObject): readonly ChangedField[] {
  const fields = differences(from ?? {}, to, []).map(({ path, was, is }): ChangedField => {
    const hides = hidden[kind].map((pattern) => pattern.split('.')).find((pattern) => isWithin(pattern, path));
    if (hides) return { field: path.slice(0, hides.length).join('.'), from: null, to: null };
    return { field: path.join('.'), from: shown(was), to: shown(is) };
  });
  const once = [...new Map(fields.map((changed) => [changed.field, changed])).values()];
  return once.length > shownFields ? [...once.slice(0, shownFields - 1), { field: '…', from: null, to: null }] : once;
}

interface Difference {
  readonly path: readonly string[];
  readonly was: unknown;
  readonly is: unknown;
}

function differences(was: unknown, is: unknown, path: readonly string[]): Difference[] {
  if (isSame(was, is)) return [];
  if (isKeyed(was) && isKeyed(is)) return entryDifferences(was, is, path);
  if (!isRecord(was) || !isRecord(is)) return [{ path, was, is }];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => differences(was[name], is[name], [...path, name]));
}

/** Entries that have keys are compared one by one, and then by their order. An entry that is new or gone is one difference. */
function entryDifferences(was: readonly unknown[], is: readonly unknown[], path: readonly string[]): Difference[] {
  const [before, after] = [was, is].map((entries) => new Map(entries.map((entry) => [String(keyOf(entry)), entry])));
  if (!before || !after) return [];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const entries = keys.flatMap((key) => {
    const both = before.has(key) && after.has(key);
    return both
      ? differences(before.get(key), after.get(key), [...path, key])
      : [{ path: [...path, key], was: before.get(key), is: after.get(key) }];
  });
  const order = (of: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) =>
    [...of.keys()].filter((key) => other.has(key)).join(', ');
  const [orderWas, orderIs] = [order(before, after), order(after, before)];
  return orderWas === orderIs ? entries : [...entries, { path: [...path, 'order'], was: orderWas, is: orderIs }];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isKeyed = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.every((entry) => keyOf(entry) !== null);
/** An absent value equals null. The order of fields does not count. */
const isSame = (one: unknown, other: unknown): boolean => ordered(one) === ordered(other);
const ordered = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .flatMap(([name, field]) => (field === null ? [] : [[name, field]]))
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        )
      : inner,
  );

function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Half a character must not stay at the cut: Postgres refuses it.
  return text.length > shownLength ? `${text.slice(0, shownLength).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** A hidden field hides all that is within it, and an entry that holds it. */
const isWithin = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.every((step, index) => step === '*' || path[index] === undefined || path[index] === step);
