import { testDatabase } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase } from '../database/database.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { housekeeping } from './housekeeping.ts';

let platform: Platform;
let database: Database;
beforeAll(async () => {
  platform = await preparePlatform();
  database = await openDatabase({ url: platform.database.roleUrl('orders') });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const Count = z.object({ count: z.number() });

test('one run of housekeeping deletes every old row, however many, and no recent one', async () => {
  await database.query(sql.type(z.object({}))`
    insert into idempotency_key (principal, operation, key, fingerprint, state, locked_until, created_at)
    select 'merchant:m', 'changeThing', n::text, ''::bytea, 'done', now(), now() - case when n <= 3 then interval '1 hour' else interval '2 days' end
    from generate_series(1, 12000) n`);
  await database.query(sql.type(z.object({}))`
    insert into inbox (event_id, type, processed_at, producer, number)
    select gen_random_uuid(), 'thing.changed', now() - case when n > 11997 then interval '1 hour' else interval '15 days' end,
      case when n % 2 = 0 then 'orders' end, case when n % 2 = 0 then n end
    from generate_series(1, 12000) n`);
  await database.query(sql.type(z.object({}))`insert into consumer_position (producer, complete_up_to) values ('orders', 12000)`);
  await housekeeping(database).run(undefined);
  expect(await database.one(sql.type(Count)`select count(*) from idempotency_key`)).toEqual({ count: 3 });
  expect(await database.one(sql.type(Count)`select count(*) from inbox`)).toEqual({ count: 3 });
});

test('housekeeping deletes events and batches that are old, in steps, and keeps the recent ones', async () => {
  await using admin = await openDatabase({ url: platform.database.adminUrl });
  await admin.query(sql.type(z.object({}))`
    insert into orders.outbox (type, version, aggregate_id, aggregate_sequence, data, created_at)
    select 'thing.changed', 1, 'aged', n, '{}', now() - case when n > 11997 then interval '1 hour' else interval '9 days' end
    from generate_series(1, 12000) n`);
  await admin.query(sql.type(z.object({}))`
    insert into orders.relay_batch (first_number, size, snapshot_before, snapshot_after, epoch, taken_at, acked_at)
    select n, 1, '1:1:', '1:1:', 1, at, at
    from generate_series(1, 12000) n, lateral (select now() - case when n > 11997 then interval '1 hour' else interval '9 days' end) as t(at)`);
  await admin.query(sql.type(z.object({}))`update orders.relay_state set snapshot = pg_current_snapshot()`);
  await housekeeping(database).run(undefined);
  expect(await database.one(sql.type(Count)`select count(*) from outbox`)).toEqual({ count: 3 });
  expect(await database.one(sql.type(Count)`select count(*) from relay_batch`)).toEqual({ count: 3 });
});

test('housekeeping keeps an event that no batch has read yet, however old', async () => {
  await database.query(sql.type(z.object({}))`
    insert into outbox (type, version, aggregate_id, aggregate_sequence, data, created_at)
    values ('thing.changed', 1, 'old', 1, '{}', now() - interval '9 days')`);
  await housekeeping(database).run(undefined);
  expect(await database.one(sql.type(Count)`select count(*) from outbox where aggregate_id = 'old'`)).toEqual({ count: 1 });
});

test('housekeeping deletes what a log of a store holds for longer than 400 days, and nothing else of it', async () => {
  await using tables = await testDatabase('queue');
  await using queue = await openDatabase({ url: tables.url });
  await queue.query(sql.type(z.object({}))`
    insert into log_entry (store_id, at, kind, by_id)
    select gen_random_uuid(), now() - case when n > 11997 then interval '399 days' else interval '401 days' end, 'walk_ins_on', 'bo'
    from generate_series(1, 12000) n`);
  await housekeeping(queue).run(undefined);
  expect(await queue.one(sql.type(Count)`select count(*) from log_entry`)).toEqual({ count: 12_000 });
  await housekeeping(queue, ['log_entry']).run(undefined);
  expect(await queue.one(sql.type(Count)`select count(*) from log_entry`)).toEqual({ count: 3 });
});
