import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createLog } from '../telemetry/log.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { type Changes, createChanges } from './changes.ts';

let platform: Platform;
let changes: Changes;
let session: pg.Client;
let writer: pg.Client;
const log = createLog('orders', 'silent');

beforeAll(async () => {
  platform = await preparePlatform();
});
afterAll(async () => await platform[Symbol.asyncDispose]());
beforeEach(async () => {
  [session, writer] = [await connected(), await connected()];
  changes = createChanges(() => session, log);
  await changes.position();
});
afterEach(async () => {
  await Promise.all([writer.end(), session.end()]);
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: platform.database.roleUrl('orders') });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const note = (...keys: string[]) => writer.query('insert into noted_change (key) select unnest($1::uuid[])', [keys]);
const position = async () => (await changes.position()) ?? Number.NaN;

test('a commit before the call is known, to the keys that it changed alone', async () => {
  const [ana, bo] = [randomUUID(), randomUUID()];
  const before = await position();
  await note(ana);
  expect(changes.unchangedSince(before, [ana])).toBe(true);
  const after = await position();
  expect([changes.unchangedSince(before, [bo, ana]), changes.unchangedSince(before, [bo]), changes.unchangedSince(after, [ana])]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a transaction that began before others and commits after them is known once it has committed', async () => {
  const [slow, quick] = [randomUUID(), randomUUID()];
  await writer.query('begin');
  await note(slow);
  const other = await connected();
  await other.query('insert into noted_change (key) values ($1)', [quick]);
  const between = await position();
  await other.query('insert into noted_change (key) values ($1)', [quick]);
  await position();
  await other.end();
  expect(changes.unchangedSince(between, [slow])).toBe(true);
  await writer.query('commit');
  await position();
  expect(changes.unchangedSince(between, [slow])).toBe(false);
});

test('calls during a look share the next one, since that look may have begun before a commit they know of', async () => {
  const ana = randomUUID();
  const before = await position();
  await note(ana);
  const calls = await Promise.all([changes.position(), changes.position(), changes.position()]);
  expect(calls).toEqual([before + 1, before + 2, before + 2]);
  expect(changes.unchangedSince(before, [ana])).toBe(false);
});

test('nothing counts as unchanged over another connection, after a statement that failed, or after more changes than one look reads', async () => {
  const ana = randomUUID();
  const before = await position();
  await session.end();
  expect(await changes.position()).toBe(null);
  session = await connected();
  const again = await position();
  expect(changes.unchangedSince(before, [ana])).toBe(false);
  await note(...Array.from({ length: 1_001 }, () => randomUUID()));
  await position();
  expect(changes.unchangedSince(again, [ana])).toBe(false);
});
