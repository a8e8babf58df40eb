import { Problem } from '@corner/contracts';

/** Nested arrays and objects, at most: a deeper body could overflow the stack. */
const maxDepth = 100;

/**
 * Returns JSON that is the same for two bodies of the same meaning: fields are sorted, and a field that is null is left out, because an
 * operation reads null and absence alike. Throws INVALID_JSON for a body that is nested too deep.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > maxDepth) throw new Problem('INVALID_JSON', { message: `The body is nested more than ${maxDepth} deep.` });
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined && entry !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry, depth + 1)}`).join(',')}}`;
}
