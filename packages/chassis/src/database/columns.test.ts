import { type EmptyDatabase, emptyDatabase } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { columns, instantOf } from './columns.ts';
import { openDatabase } from './database.ts';

const Row = z.object({ id: z.number(), readyAt: z.string().nullable(), total_pence: z.number() });

let empty: EmptyDatabase;
beforeAll(async () => {
  empty = await emptyDatabase();
});
afterAll(async () => {
  await empty[Symbol.asyncDispose]();
});

describe('columns', () => {
  test('lists the keys of a row schema as quoted columns, in the order of the schema', () => {
    expect(columns(Row).sql).toBe('"id", "readyAt", "total_pence"');
  });

  test('writes the table alias before every column', () => {
    expect(columns(Row, { alias: 'o' }).sql).toBe('"o"."id", "o"."readyAt", "o"."total_pence"');
  });

  test('replaces a column by an override and names the result by the key', () => {
    const { sql: text } = columns(Row, { alias: 'o', overrides: { readyAt: instantOf, total_pence: sql.fragment`o.net + o.tax` } });
    expect(text).toBe(
      `"o"."id", to_char("o"."readyAt" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "readyAt", o.net + o.tax as "total_pence"`,
    );
  });

  test('keeps the values that an override binds', () => {
    const fragment = columns(Row.pick({ id: true }), { overrides: { id: sql.fragment`id + ${7}` } });
    expect(fragment.values).toEqual([7]);
  });

  test('throws a RangeError for a schema without keys', () => {
    expect(() => columns(z.object({}))).toThrow(RangeError);
  });

  test('reads rows from Postgres that fit the schema', async () => {
    await using database = await openDatabase({ url: empty.adminUrl, poolSize: 1 });
    const row = await database.one(sql.type(Row)`
      select ${columns(Row, { alias: 'o', overrides: { readyAt: instantOf } })}
      from (values (1, timestamptz '2026-03-01 10:00+02', 250)) as o (id, "readyAt", total_pence)`);
    expect(row).toEqual({ id: 1, readyAt: '2026-03-01T08:00:00.000000Z', total_pence: 250 });
  });
});
