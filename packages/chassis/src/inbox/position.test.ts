import { randomUUID } from 'node:crypto';
import { testDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { openDatabase } from '../database/database.ts';
import { movePosition, readCompleteness, takeUpPosition } from './position.ts';
import { Progress } from './progress.ts';

test('a position moves as far as the inbox holds every number, and what lies above is known', async () => {
  await using tables = await testDatabase('loyalty');
  await using database = await openDatabase({ url: tables.url });
  const lease = await database.oneFirst(sql.type(z.object({ token: z.string() }))`select token from consumer_lease`);
  const owner = { database, producer: 'orders', lease } as const;
  const process = (number: number) =>
    database.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, producer, number) values (${randomUUID()}, 'thing.changed', 'orders', ${number})`);
  const notes = { incarnations: [], last: 5, missing: 1, missing_since: null, clean: false };
  const move = (...numbers: number[]) => movePosition(owner, { upTo: 5, numbers }, notes);
  await takeUpPosition(owner);
  expect(await move(1, 2, 3, 4, 5)).toBe(0);
  for (const number of [1, 2, 4, 5]) await process(number);
  expect(await move(1, 2, 3, 4, 5)).toBe(2);
  expect(await takeUpPosition(owner)).toEqual({ completeUpTo: 2, incarnations: [], ahead: new Set([4, 5]), clean: false });
  await process(3);
  expect(await move(3, 4, 5)).toBe(5);
  // Numbers of other parts were not passed on, and are not waited for.
  expect(await movePosition(owner, { upTo: 9, numbers: [] }, notes)).toBe(9);
});

test('what a consumer had recorded as missing when it ended is no more so once the next one has it', async () => {
  await using tables = await testDatabase('loyalty');
  await using database = await openDatabase({ url: tables.url });
  const lease = await database.oneFirst(sql.type(z.object({ token: z.string() }))`select token from consumer_lease`);
  const owner = { database, producer: 'orders', lease } as const;
  await takeUpPosition(owner);
  await movePosition(
    owner,
    { upTo: 1, numbers: [] },
    { incarnations: [], last: 1, missing: 1, missing_since: new Date().toISOString(), clean: true },
  );
  const next = await Progress.takeUp(owner);
  await next.record({ last: 1, missing: 0, missingSince: null }, false);
  expect(await readCompleteness(database)).toEqual([expect.objectContaining({ complete_up_to: 1, missing: 0, missing_since: null })]);
});
