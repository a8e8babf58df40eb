import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase, type Transaction } from '../database/database.ts';
import { thingChanged } from '../testing/contracts.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { insertEventsSql, outboxEntry, publish, publishAll } from './outbox.ts';

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
const entries = (thingId: string, sequences: readonly number[]) =>
  sequences.map((sequence) => outboxEntry(thingChanged, step(thingId, sequence)));
const duplicate = (thingId: string, sequence: number) =>
  `Event thing.changed of aggregate ${thingId} with sequence ${sequence} was published before: the sequence must be drawn under the aggregate's row lock`;

const Empty = z.object({});
const ways: readonly (readonly [string, (tx: Transaction, thingId: string) => Promise<unknown>])[] = [
  ['publish', (tx, thingId) => publish(tx, thingChanged, step(thingId, 3))],
  ['publishAll', (tx, thingId) => publishAll(tx, entries(thingId, [2, 3]))],
  ['a statement with insertEventsSql', (tx, thingId) => tx.query(sql.type(Empty)`${insertEventsSql(tx, entries(thingId, [3]))}`)],
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

describe('the listener of commits, which wakes the relay', () => {
  let calls = 0;
  beforeAll(() =>
    database.onPublish(() => {
      calls += 1;
    }),
  );
  beforeEach(() => {
    calls = 0;
  });

  test.each(ways)('is called once the transaction of %s is committed, and not before', async (_way, publishOnce) => {
    await database.transaction(async (tx) => {
      await publishOnce(tx, newThing());
      expect(calls).toBe(0);
    });
    expect(calls).toBe(1);
  });

  test('is called once a statement without a transaction has published', async () => {
    const thingId = newThing();
    await database.publishing(async (queries) => {
      await queries.query(sql.type(Empty)`${insertEventsSql(queries, entries(thingId, [1]))}`);
      expect(calls).toBe(0);
    });
    expect(calls).toBe(1);
    expect(await database.exists(sql.type(Empty)`select from outbox where aggregate_id = ${thingId}`)).toBe(true);
  });

  test('is not called for a transaction that is rolled back, nor for one that publishes nothing, whatever the text of its statements', async () => {
    const undone = database.transaction(async (tx) => {
      await publish(tx, thingChanged, step(newThing(), 1));
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await database.transaction((tx) => tx.query(sql.type(Empty)`select 'insert into outbox'`));
    await database.transaction((tx) => publishAll(tx, []));
    expect(calls).toBe(0);
  });
});
