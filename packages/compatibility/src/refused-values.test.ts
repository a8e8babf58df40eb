import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { jsonSchemaOf } from './json-schema.ts';
import { refusedValues } from './refused-values.ts';

const refused = (sent: z.ZodType, accepted: z.ZodType) =>
  refusedValues(jsonSchemaOf(sent, 'sent'), jsonSchemaOf(accepted, 'accepted')).map(({ at, why }) => `${at} ${why}`.trim());

const text = z.string();
const thing = (field: z.ZodType) => z.object({ field });

describe('a reader that takes everything refuses nothing', () => {
  test.each<[string, z.ZodType, z.ZodType]>([
    ['the same', thing(text), thing(text)],
    ['an unknown field', z.object({ field: text, more: text }), thing(text)],
    ['an optional field that is always sent', thing(text), thing(text.optional())],
    ['a whole number for a number', thing(z.int()), thing(z.number())],
    ['closer bounds', thing(z.int().min(1).max(5)), thing(z.int().min(0).max(5))],
    ['fewer values', thing(z.enum(['a'])), thing(z.enum(['a', 'b']))],
    ['a value for any text', thing(z.literal('a')), thing(text)],
    [
      'a branch of a union',
      z.object({ kind: z.literal('a'), size: z.int() }),
      z.union([z.object({ kind: z.literal('a'), size: z.int() }), text]),
    ],
    ['anything', thing(text), z.unknown()],
    ['a record', z.record(text, z.int()), z.record(text, z.number())],
    ['a default that is sent', thing(text.default('a')), thing(text)],
    ['a form that both have', thing(z.uuid()), thing(z.uuid())],
    ['null where null may be', thing(text), thing(text.nullable())],
  ])('%s', (_what, sent, accepted) => expect(refused(sent, accepted)).toEqual([]));
});

describe('what a reader refuses is named with its place', () => {
  test.each<[string, z.ZodType, z.ZodType, string]>([
    ['another type', thing(text), thing(z.int()), 'field is string, not integer'],
    ['a number for a whole one', thing(z.number()), thing(z.int()), 'field is number, not integer'],
    ['a field that may be missing', thing(text.optional()), thing(text), 'field may be missing'],
    ['a field that is missing', z.object({}), thing(text), 'field is missing'],
    [
      'a field that a closed object does not know',
      z.object({ field: text, more: text }),
      z.strictObject({ field: text }),
      'more is not known',
    ],
    ['a wider bound', thing(z.int().min(0)), thing(z.int().min(1)), 'field may be below 1'],
    ['a bound that is excluded', thing(z.number().min(1)), thing(z.number().gt(1)), 'field may be below 1'],
    ['longer text', thing(text), thing(text.max(5)), 'field may be above 5 characters'],
    ['more entries', z.array(text), z.array(text).max(2), 'may be above 2 entries'],
    ['a value more', thing(z.enum(['a', 'b'])), thing(z.enum(['a'])), 'field may be "b"'],
    ['any text for some', thing(text), thing(z.enum(['a'])), 'field may be other than "a"'],
    ['a pattern', thing(text), thing(text.regex(/^a/)), 'field may not match the pattern ^a'],
    ['null', thing(text.nullable()), thing(text), 'field is null, not string'],
    [
      'an entry',
      z.object({ lines: z.array(z.object({ quantity: z.number() })) }),
      z.object({ lines: z.array(z.object({ quantity: z.int() })) }),
      'lines[].quantity is number, not integer',
    ],
    ['an entry of a record', z.record(text, text), z.record(text, z.int()), '{} is string, not integer'],
    ['anything', thing(z.unknown()), thing(text), 'field may be anything, not only string'],
  ])('%s', (_what, sent, accepted, why) => expect(refused(sent, accepted)).toContainEqual(why));
});

interface Sample {
  readonly schema: z.ZodType;
  readonly value: fc.Arbitrary<unknown>;
}
const numbers = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 6, max: 9 }), fc.boolean());
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numbers.map(([min, max, whole]) => ({
      schema: (whole ? z.int() : z.number()).min(min).max(max),
      value: whole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }),
    })),
    fc.subarray(['a', 'b', 'c'], { minLength: 1 }).map((values) => ({ schema: z.enum(values), value: fc.constantFrom(...values) })),
    fc.constant({ schema: z.string(), value: fc.string() }),
    tie('sample').map(({ schema, value }) => ({ schema: schema.nullable(), value: fc.option(value) })),
    tie('sample').map(({ schema, value }) => ({ schema: z.array(schema), value: fc.array(value, { maxLength: 3 }) })),
    fc.tuple(tie('sample'), tie('sample')).map(([one, other]) => ({
      schema: z.union([one.schema, other.schema]),
      value: fc.oneof(one.value, other.value),
    })),
    fc.tuple(tie('sample'), tie('sample'), fc.boolean()).map(([one, other, optional]) => ({
      schema: z.object({ one: one.schema, other: optional ? other.schema.optional() : other.schema }),
      value: fc.record({ one: one.value, other: other.value }, { requiredKeys: optional ? ['one'] : ['one', 'other'] }),
    })),
  ),
}));

test('a reader that is said to take everything takes every value that the sender can send', () => {
  let agreed = 0;
  fc.assert(
    fc.property(sample, sample, fc.gen(), (sent, accepted, draw) => {
      if (refused(sent.schema, accepted.schema).length > 0) return;
      agreed += 1;
      expect(accepted.schema.safeParse(draw(() => sent.value)).success).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(agreed).toBeGreaterThan(100);
});

test('a schema accepts what it sends', () => {
  fc.assert(
    fc.property(sample, ({ schema }) => expect(refused(schema, schema)).toEqual([])),
    { numRuns: 300 },
  );
});
