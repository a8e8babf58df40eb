import type { JsonSchema } from './json-schema.ts';
import { field, type Refused, type Roots, refusedIn, resolve } from './refused-values.ts';

/**
 * Returns where a reader treats a value differently that it still accepts: a field now skipped, another default, skipped fields now
 * refused. A caller of the earlier version may count on each.
 */
export const withdrawnFrom = (before: JsonSchema, after: JsonSchema): readonly Refused[] =>
  compare({ before, after, at: '' }, [before, after]);

interface Readers {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly at: string;
}

function compare({ before: earlier, after: later, at }: Readers, roots: Roots): readonly Refused[] {
  // Compared once, and not again with each branch of a union.
  const [before, after] = [withoutDefault(resolve(earlier, roots[0])), resolve(later, roots[1])];
  const moved = defaultMoved(earlier, later, at);
  if (JSON.stringify(before) === JSON.stringify(withoutDefault(after))) return moved;
  const all = before.anyOf ?? before.oneOf;
  if (all) return [...moved, ...all.flatMap((one) => compare({ before: one, after, at }, roots))];
  const branches = after.anyOf ?? after.oneOf;
  if (branches) return [...moved, ...compare({ before, after: branchFor(before, branches, roots), at }, roots)];
  return [
    ...moved,
    ...closed({ before, after, at }),
    ...fieldsWithdrawn({ before, after, at }, roots),
    ...inside({ before, after, at }, roots),
  ];
}

const withoutDefault = ({ default: _default, ...schema }: JsonSchema): JsonSchema => schema;

/** Prefers the branch that accepts the most; among equals, the one that withdraws the least. */
function branchFor(before: JsonSchema, branches: readonly JsonSchema[], roots: Roots): JsonSchema {
  const [best] = branches
    .map((branch) => ({
      branch,
      refused: refusedIn({ sent: before, accepted: branch, at: '' }, roots).length,
      withdrawn: compare({ before, after: branch, at: '' }, roots).length,
    }))
    .sort((a, b) => a.refused - b.refused || a.withdrawn - b.withdrawn);
  return best?.branch ?? {};
}

const defaultMoved = (before: JsonSchema, after: JsonSchema, at: string): readonly Refused[] =>
  'default' in before && JSON.stringify(before.default) !== JSON.stringify(after.default)
    ? [
        {
          at,
          why: `is taken as ${JSON.stringify(after.default) ?? 'missing'} where it is missing, and was taken as ${JSON.stringify(before.default)}`,
        },
      ]
    : [];

const closed = ({ before, after, at }: Readers): readonly Refused[] =>
  before.type === 'object' && before.additionalProperties !== false && after.additionalProperties === false
    ? [{ at, why: 'may have fields that are not known, which were skipped' }]
    : [];

function fieldsWithdrawn({ before, after, at }: Readers, roots: Roots): readonly Refused[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, one]) => {
    const { [name]: reader = after.additionalProperties } = after.properties ?? {};
    if (typeof reader === 'object') return compare({ before: one, after: reader, at: field(at, name) }, roots);
    return isObject(after) ? [{ at: field(at, name), why: 'is read no more' }] : [];
  });
}

const isObject = (schema: JsonSchema): boolean => schema.properties !== undefined && schema.additionalProperties !== false;

const inside = ({ before, after, at }: Readers, roots: Roots): readonly Refused[] => [
  ...(before.items && after.items ? compare({ before: before.items, after: after.items, at: `${at}[]` }, roots) : []),
  ...(typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object'
    ? compare({ before: before.additionalProperties, after: after.additionalProperties, at: `${at}{}` }, roots)
    : []),
];
