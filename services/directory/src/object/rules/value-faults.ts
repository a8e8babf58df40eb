import { isBlank, isPlainLine, notAPlainLine } from '@corner/contracts';

/** The largest number of a four-byte column, in which other services keep prices, stock and minutes. */
const largestNumber = 2_147_483_647;

const named: readonly string[] = ['name', 'code', 'reward_title'];

/**
 * Returns a sentence for each value that a schema allows and Postgres refuses, here or in a service that gets the snapshot: half a
 * character, a NUL, a year 0, a number over four bytes; and for each name that shows nothing. `nameOf` names a field by its path.
 */
export function valueFaults(value: unknown, nameOf: (path: readonly PropertyKey[]) => string, path: readonly PropertyKey[] = []): string[] {
  if (typeof value === 'string') {
    if (value.includes('\0')) return [`${nameOf(path)}: holds a NUL character, which no text may`];
    if (!value.isWellFormed()) return [`${nameOf(path)}: holds half a character`];
    if (named.includes(String(path.at(-1))) && isBlank(value)) return [`${nameOf(path)}: must not be blank`];
    return /^0000-\d\d-\d\dT/.test(value) ? [`${nameOf(path)}: has no year 0`] : [];
  }
  if (typeof value === 'number') return value > largestNumber ? [`${nameOf(path)}: must be at most ${largestNumber}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => valueFaults(inner, nameOf, [...path, Array.isArray(value) ? Number(key) : key]));
}

const lines: readonly string[] = [...named, 'label', 'category', 'plan_name', 'legal_name'];

/**
 * Returns a sentence for each name that a change brings and that is no plain line. A name that was there before stays, as an import or an
 * upstream may have brought it: it is neutralised where it is shown.
 */
export function newLineFaults(value: unknown, before: unknown, nameOf: (path: readonly PropertyKey[]) => string): string[] {
  const known = new Set(lineTexts(before).map(({ text }) => text));
  return lineTexts(value).flatMap(({ path, text }) => (isPlainLine(text) || known.has(text) ? [] : [`${nameOf(path)}: ${notAPlainLine}`]));
}

function lineTexts(value: unknown, path: readonly PropertyKey[] = []): { readonly path: readonly PropertyKey[]; readonly text: string }[] {
  if (typeof value === 'string') return lines.includes(String(path.at(-1))) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => lineTexts(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}
