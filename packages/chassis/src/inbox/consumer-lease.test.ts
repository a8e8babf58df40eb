import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase } from '../database/database.ts';
import { postgresConnection } from '../database/postgres-connection.ts';
import { createLog } from '../telemetry/log.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { setParts } from './consumer-layout.ts';
import { holdConsumerLease, LostLease } from './consumer-lease.ts';
import { deadLetterEvent } from './dead-letter-event.ts';
import { deliveryOfEvent, withNumber } from './delivery.ts';
import { consume } from './inbox.ts';
import type { IncomingEvent } from './incoming-event.ts';
import { cutPosition, movePosition, passLostRange, setPosition, takeUpPosition } from './position.ts';
import { processDelivery } from './process-delivery.ts';

let platform: Platform;
let database: Database;
const log = createLog('loyalty', 'silent');

beforeAll(async () => {
  platform = await preparePlatform();
  database = await openDatabase({ url: platform.database.roleUrl('loyalty') });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

function takeLease() {
  const stop = new AbortController();
  const taken = Promise.withResolvers<string>();
  const postgres = postgresConnection(platform.database.roleUrl('loyalty'));
  const held = holdConsumerLease({ service: 'loyalty', postgres, log }, stop.signal, async (ended, { lease }) => {
    taken.resolve(lease);
    await new Promise((resolve) => ended.addEventListener('abort', resolve));
  });
  return {
    token: taken.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await held;
    },
  };
}

const options = (lease: string) => ({ database, eventHandlers: {}, context: null, log, lease });
const event = (number: number): IncomingEvent => ({ envelope: envelope(), redelivered: false, numbered: { producer: 'orders', number } });
const envelope = () => ({
  specversion: '1.0' as const,
  id: randomUUID(),
  source: '/orders' as const,
  type: 'thing.changed',
  dataschema: 'thing.changed/1',
  subject: randomUUID(),
  time: '2026-05-01T11:00:00.000000Z',
  datacontenttype: 'application/json' as const,
  sequence: 1,
  data: {},
});
const numbers = () =>
  database.anyFirst(sql.type(z.object({ number: z.number() }))`select number from inbox where producer = 'orders' order by number`);

test('a former lease holder records no event, writes no dead letter and moves no position', async () => {
  await using first = takeLease();
  const former = await first.token;
  const owner = { database, producer: 'orders', lease: former } as const;
  await takeUpPosition(owner);
  await consume(options(former), [event(1)]);
  await first[Symbol.asyncDispose]();
  await using second = takeLease();
  expect(await second.token).not.toBe(former);

  const dead = withNumber(deliveryOfEvent('orders', 2, envelope()), { producer: 'orders', number: 2 });
  const notes = { incarnations: [], last: 9, missing: 0, missing_since: null, clean: true };
  for (const write of [
    () => consume(options(former), [event(2)]),
    () => deadLetterEvent(options(former), dead, { error: new Error('bad'), attempts: 5 }),
    () => takeUpPosition(owner),
    () => movePosition(owner, { upTo: 1, numbers: [1] }, notes),
    () => setPosition(owner, 9, []),
    () => cutPosition(owner, 0, []),
    () => passLostRange(owner, { from: 2, to: 9, before: null }),
  ])
    await expect(write()).rejects.toThrow(LostLease);
  expect(await numbers()).toEqual([1]);
  expect(await database.anyFirst(sql.type(z.object({ count: z.number() }))`select count(*) from dead_letter`)).toEqual([0]);
  expect(await movePosition({ ...owner, lease: await second.token }, { upTo: 2, numbers: [1, 2] }, notes)).toBe(1);
});

test('a former lease holder hands an event back as often as it comes, says that it has no lease, and counts no attempt', async () => {
  await using first = takeLease();
  const former = await first.token;
  await first[Symbol.asyncDispose]();
  await using second = takeLease();
  await second.token;
  const responses: string[] = [];
  let lost = 0;
  const delivery = {
    ...withNumber(deliveryOfEvent('orders', 3, envelope()), { producer: 'orders', number: 3 }),
    respond: (response: string) => void responses.push(response),
  };
  const lostOptions = { ...options(former), onLostLease: () => (lost += 1) };
  for (let nth = 0; nth < 10; nth += 1) await processDelivery(lostOptions, delivery, true, new AbortController().signal);
  expect([responses, lost]).toEqual([Array.from({ length: 10 }, () => 'nak'), 10]);
  expect(await database.anyFirst(sql.type(z.object({ count: z.number() }))`select count(*) from delivery_attempt`)).toEqual([0]);
});

test('a transaction of the former lease holder ends before the next one begins', async () => {
  await using first = takeLease();
  const former = await first.token;
  const [began, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = database.transaction(async (tx) => {
    await tx.query(sql.type(z.object({}))`
      insert into inbox (event_id, type, producer, number) select ${randomUUID()}, 'thing.changed', 'orders', 7
      from consumer_lease where token = ${former}`);
    began.resolve();
    await goesOn.promise;
  });
  await began.promise;
  await first[Symbol.asyncDispose]();
  await using second = takeLease();
  let taken = false;
  const next = second.token.then(async () => {
    taken = true;
    return await numbers();
  });
  const waits = sql.type(z.object({}))`select from pg_locks where not granted and relation = 'inbox'::regclass`;
  await until(() => database.exists(waits), { describe: 'the next holder waits' });
  expect(taken).toBe(false);
  goesOn.resolve();
  await slow;
  expect(await next).toContain(7);
});

test('a part that a slow transaction keeps from being taken is tried again, and the parts that are held go on', async () => {
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const [blocking, slow] = [await connect(platform.database.roleUrl('loyalty')), await connect(platform.database.roleUrl('loyalty'))];
  await setParts(database, 2);
  await blocking.query(`select pg_advisory_lock(hashtextextended('corner consumer loyalty part 1', 0))`);
  const stop = new AbortController();
  const begun: number[] = [];
  const ended: number[] = [];
  const postgres = postgresConnection(platform.database.roleUrl('loyalty'));
  const held = holdConsumerLease({ service: 'loyalty', postgres, log }, stop.signal, async (signal, { part }) => {
    begun.push(part);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ended.push(part);
  });
  await until(() => begun.length === 1, { describe: 'the first part' });
  await slow.query('begin');
  await slow.query(`insert into inbox (event_id, type) values (gen_random_uuid(), 'thing.changed')`);
  await blocking.query('select pg_advisory_unlock_all()');
  const waiting = async () => {
    const { rows } = await blocking.query<{ at: string }>(`
      select query_start::text as at from pg_stat_activity where wait_event_type = 'Lock' and query like 'lock table inbox%'`);
    return rows[0]?.at;
  };
  const seen = new Set<string | undefined>();
  await until(async () => seen.add(await waiting()).has(undefined) && seen.size >= 3, { describe: 'two attempts' });
  expect([begun, ended]).toEqual([[0], []]);
  await slow.query('commit');
  await until(() => begun.length === 2, { describe: 'the second part' });
  expect([begun, ended]).toEqual([[0, 1], []]);
  stop.abort();
  await held;
  await setParts(database, 1);
  for (const client of [blocking, slow]) await client.end();
});
