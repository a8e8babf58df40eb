import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase, type Transaction } from '../database/database.ts';
import { thingChanged } from '../testing/contracts.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { outboxColumns, outboxEntry, outboxValues, publish, publishAll } from './outbox.ts';

let platform: Platform;
let database: Database;
beforeAll(async () => {
  platform = await preparePlatform();
  database = await openDatabase({ url: platform.database.roleUrl('orders'), poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const step = (thingId: string, sequence: number) => ({
  aggregateId: thingId,
  sequence,
  storeId,
  data: { thing_id: thingId, version: sequence },
});
const duplicate = (thingId: string, sequence: number) =>
  `Event thing.changed of aggregate ${thingId} with sequence ${sequence} was published before: the sequence must be drawn under the aggregate's row lock`;

const ways: readonly (readonly [string, (tx: Transaction, thingId: string) => Promise<unknown>])[] = [
  ['publish', (tx, thingId) => publish(tx, thingChanged, step(thingId, 3))],
  [
    'publishAll',
    (tx, thingId) =>
      publishAll(
        tx,
        [2, 3].map((sequence) => outboxEntry(thingChanged, step(thingId, sequence))),
      ),
  ],
  [
    'a statement that inserts outboxValues itself',
    (tx, thingId) =>
      tx.query(sql.type(z.object({}))`insert into outbox (${outboxColumns}) select ${outboxValues(thingChanged, step(thingId, 3))}`),
  ],
];

describe('publishing a sequence of an aggregate twice', () => {
  test.each(ways)('through %s throws an error that names type, aggregate and sequence', async (_way, publishAgain) => {
    const thingId = newThing();
    await database.transaction((tx) => publish(tx, thingChanged, step(thingId, 3)));
    await expect(database.transaction((tx) => publishAgain(tx, thingId))).rejects.toThrow(duplicate(thingId, 3));
  });

  test('undoes the change that was made with it', async () => {
    const thingId = newThing();
    await database.transaction((tx) => publish(tx, thingChanged, step(thingId, 1)));
    await expect(
      database.transaction(async (tx) => {
        await tx.query(sql.type(z.object({}))`insert into thing (id, store_id) values (${thingId}, ${storeId})`);
        await publish(tx, thingChanged, step(thingId, 1));
      }),
    ).rejects.toThrow(duplicate(thingId, 1));
    expect(await database.exists(sql.type(z.object({}))`select from thing where id = ${thingId}`)).toBe(false);
  });
});
