import fc from 'fast-check';
import { fromEntries, kindOf } from './known-values.ts';
import type { Schema } from './openapi-document.ts';

const nasty = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  'İıſK',
  '👩‍👩‍👧‍👦'.repeat(20),
  'Z̷̡̛a̶l̵g̸o̷',
  "'; drop table orders; --",
  '%00%ff%',
  '../../etc/passwd',
  '\u0024{jndi:ldap://x}',
  '<script>alert(1)</script>',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '0190A000-0000-7000-8000-000000000001',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  '2026-05-01T12:00:00+23:59',
  'infinity',
  'x'.repeat(5_000),
];
const numbers = [0, -0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 99, 100, 101];

const text = (minLength: number, maxLength: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength, unit: 'grapheme-ascii' }) },
    { weight: 1, arbitrary: fc.string({ minLength, maxLength, unit: 'binary' }) },
  );
const nest = (depth: number): unknown => {
  let nested: unknown = [];
  for (let n = 0; n < depth; n += 1) nested = n % 2 ? [nested] : { a: nested };
  return nested;
};

/** Any JSON value, often one that breaks programs. */
export const wild: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...nasty) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers, null, true, false, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(90, 200, 600).map(nest) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON', 'length').map((key) => fromEntries([[key, { polluted: true }]])),
  },
);

/** `usual` with weight `times`, `other` with weight 1. */
export const seldom = <T>(times: number, other: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

/** The documented example with other known values in its id fields, and a new idempotency key. */
export function likeExample(example: unknown, field = ''): fc.Arbitrary<unknown> {
  const kind = kindOf(field);
  if (kind && typeof example === 'string') return seldom<unknown>(2, knownOf(kind), { $known: kind, nth: 0 });
  if (field === 'idempotency_key' || field === 'refund_attempt_id') return fc.uuid();
  if (Array.isArray(example)) return fc.tuple(...example.map((entry) => likeExample(entry, field)));
  if (typeof example !== 'object' || example === null) return fc.constant(example);
  return fc
    .tuple(...Object.entries(example).map(([name, value]) => likeExample(value, name).map((given) => [name, given] as const)))
    .map(fromEntries);
}

const knownOf = (kind: string): fc.Arbitrary<unknown> => fc.nat(50).map((nth) => ({ $known: kind, nth }));

/** A value that the schema allows; mostly an existing one where values for `field` are known. */
export function valid(schema: Schema, field = ''): fc.Arbitrary<unknown> {
  const kind = kindOf(field);
  const allowed = inSchema(schema);
  if (!kind || schema.type === 'object' || schema.type === 'array') return allowed;
  return fc.oneof({ weight: 9, arbitrary: knownOf(kind) }, { weight: 1, arbitrary: allowed });
}

function inSchema(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type ?? 'null'].flat();
  if (type === 'object') return objectOf(schema);
  if (type === 'array') {
    const maxLength = Math.min(schema.maxItems ?? 4, 4);
    return fc.array(valid(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength });
  }
  if (type === 'string') return stringOf(schema);
  if (type === 'integer')
    return fc.integer({ min: Math.max(schema.minimum ?? -1e6, -(2 ** 31)), max: Math.min(schema.maximum ?? 1e6, 2 ** 31) });
  if (type === 'number') return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
  return type === 'boolean' ? fc.boolean() : fc.constant(null);
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = fieldValue(schema, name);
    return required.includes(name)
      ? value.map((given) => [[name, given]] as const)
      : seldom(
          2,
          value.map((given) => [[name, given] as const]),
          [],
        );
  });
  return fc.tuple(...fields).map((entries) => fromEntries(entries.flat()));
}

/** A value for a field. For a nullable field, known values are used in the branch that is not null. */
const fieldValue = (schema: Schema, name: string): fc.Arbitrary<unknown> =>
  schema.anyOf ? fc.oneof(...schema.anyOf.map((choice) => valid(choice, choice.type === 'null' ? '' : name))) : valid(schema, name);

function stringOf({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2025-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return text(minLength, Math.min(maxLength, 300));
}

/** A valid value with one change: an entry is replaced, removed or added. */
export const nearly = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.tuple(valid(schema), fc.nat(), wild, fc.constantFrom('replace', 'remove', 'add')).map(([value, nth, other, change]) => {
    const places = placesIn(value);
    const place = places[nth % Math.max(places.length, 1)];
    return place ? changed(value, place, change as Change, other) : other;
  });

type Change = 'replace' | 'remove' | 'add';
type Place = readonly (string | number)[];

function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || '$known' in value) return [path];
  return [path, ...Object.entries(value).flatMap(([key, entry]) => placesIn(entry, [...path, key]))].slice(path.length ? 0 : 1);
}

function changed(value: unknown, [key, ...rest]: Place, change: Change, other: unknown): unknown {
  if (key === undefined) return other;
  if (typeof value !== 'object' || value === null) return other;
  const entries: (readonly [string, unknown])[] = Object.entries(value).flatMap(([name, entry]) =>
    name !== key
      ? [[name, entry] as const]
      : change === 'remove' && rest.length === 0
        ? []
        : [[name, changed(entry, rest, change, other)] as const],
  );
  if (change === 'add' && rest.length === 0) entries.push([typeof other === 'string' ? other : 'surprise', other]);
  return Array.isArray(value) ? entries.map(([, entry]) => entry) : fromEntries(entries);
}
