import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { jsonSchemaOf } from './json-schema.ts';
import { withdrawnFrom } from './withdrawn.ts';

const withdrawn = (before: z.ZodType, after: z.ZodType) =>
  withdrawnFrom(jsonSchemaOf(before, 'accepted'), jsonSchemaOf(after, 'accepted')).map(({ at, why }) => `${at} ${why}`.trim());

const line = z.object({ quantity: z.int().default(1), note: z.string().optional() });
const withoutNote = line.omit({ note: true });
const card = z.object({ kind: z.literal('card'), token: z.string() });
const cash = z.object({ kind: z.literal('cash'), note: z.string().optional() });

test.each<[string, z.ZodType, z.ZodType, string[]]>([
  ['the same', line, line, []],
  ['a field more', withoutNote, line, []],
  ['a field less', line, withoutNote, ['note is read no more']],
  ['a field less where null may be', line.nullable(), withoutNote.nullable(), ['note is read no more']],
  [
    'a field less in a list',
    z.object({ lines: z.array(line) }),
    z.object({ lines: z.array(withoutNote) }),
    ['lines[].note is read no more'],
  ],
  ['a field less in a record', z.record(z.string(), line), z.record(z.string(), withoutNote), ['{}.note is read no more']],
  ['a field less in one form of several', z.union([card, cash]), z.union([cash.omit({ note: true }), card]), ['note is read no more']],
  ['a form more', z.union([card, cash]), z.union([cash, card, z.string()]), []],
  ['a record in place of fields', withoutNote.omit({ quantity: true }).extend({ note: z.string() }), z.record(z.string(), z.unknown()), []],
  ['fields that are refused', line, z.strictObject(line.shape), ['may have fields that are not known, which were skipped']],
  ['another type, which is refused', line, z.string(), []],
  [
    'another default',
    line,
    line.extend({ quantity: z.int().default(2) }),
    ['quantity is taken as 2 where it is missing, and was taken as 1'],
  ],
  [
    'a default less',
    line,
    line.extend({ quantity: z.int().optional() }),
    ['quantity is taken as missing where it is missing, and was taken as 1'],
  ],
  [
    'another default where null may be',
    z.object({ note: z.string().nullable().default(null) }),
    z.object({ note: z.string().nullable().default('') }),
    ['note is taken as "" where it is missing, and was taken as null'],
  ],
  ['a default more', line.extend({ quantity: z.int().optional() }), line, []],
])('%s', (_what, before, after, why) => {
  expect(withdrawn(before, after)).toEqual(why);
});
