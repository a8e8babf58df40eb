import { randomBytes } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from './database/database.ts';
import { readCompleteness } from './inbox/position.ts';
import type { RunningService } from './service.ts';
import { type Metrics, startMetrics } from './telemetry/metrics.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from './testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from './testing/services.ts';

let metrics: Metrics;
let platform: Platform;
let admin: pg.Client;
/** The copy of the database has `old` at an earlier version, and lacks `young`. */
let old: string;
let young: string;
let copies: string[];

beforeAll(() => {
  metrics = startMetrics({ service: 'orders' });
});
afterAll(() => metrics.stop());
beforeEach(async () => {
  platform = await preparePlatform();
  admin = new pg.Client({ connectionString: platform.database.adminUrl.replace(/[^/]*$/, 'postgres') });
  await admin.connect();
  [old, young, copies] = [newThing(), newThing(), []];
});
afterEach(async () => {
  for (const copy of copies) await admin.query(`drop database ${copy} with (force)`);
  await admin.end();
  await platform[Symbol.asyncDispose]();
});

type Producer = RunningService<ProducerContext>;
const startOrders = (settings = {}): Promise<Producer> => platform.start(producer(), {}, settings);
const startLoyalty = (settings = {}): Promise<RunningService<Database>> => platform.start(consumer(), {}, settings);
const change = (orders: Producer, thing: string) => orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
const effects = (loyalty: RunningService<Database>, thing: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thing)).length >= count, { describe: `${count} effects` });
async function restoresOfProcess(restore: string): Promise<number> {
  const line = (await metrics.text()).split('\n').find((text) => text.startsWith('corner_database_restores') && text.includes(restore));
  return Number(line?.split(' ').at(-1) ?? 0);
}
const kinds = ['unknown_events', 'lost_events', 'renumbered'] as const;
let restoresBefore: number[];
const restores = async (): Promise<object> =>
  Object.fromEntries(
    await Promise.all(kinds.map(async (kind, index) => [kind, (await restoresOfProcess(kind)) - (restoresBefore[index] ?? 0)])),
  );
const errors = () => platform.lines.filter(({ level }) => level === 'error' || level === 50);

async function backup(): Promise<(service: string) => { DATABASE_URL: string }> {
  const copy = `${platform.database.name}_${randomBytes(3).toString('hex')}`;
  await until(() => admin.query(`create database ${copy} template ${platform.database.name}`).then(() => true), { describe: 'a copy' });
  copies.push(copy);
  return (service) => ({ DATABASE_URL: platform.database.roleUrl(service).replace(/[^/]*$/, copy) });
}

/** Two changes of the old thing, a backup, then one more change and a young thing. Both services have stopped at the end. */
async function liveThroughABackup() {
  {
    await using orders = await startOrders();
    await using loyalty = await startLoyalty();
    for (let n = 0; n < 2; n += 1) await change(orders, old);
    await effects(loyalty, old, 2);
  }
  const yesterday = await backup();
  await using orders = await startOrders();
  await using loyalty = await startLoyalty();
  await change(orders, old);
  await change(orders, young);
  await effects(loyalty, old, 3);
  await effects(loyalty, young, 1);
  restoresBefore = await Promise.all(kinds.map(restoresOfProcess));
  return yesterday;
}

describe.each([1, 3])('where events are consumed in %i parts', (parts) => {
  beforeEach(async () => {
    await platform.broker.ensureStreams({ loyalty: parts });
    await using client = await connect();
    await client.query('update loyalty.consumer_layout set parts = $1', [parts]);
  });

  test('the producer’s database of yesterday: what it lost is reported, and what it publishes now is taken for no duplicate', async () => {
    const yesterday = await liveThroughABackup();
    await using loyalty = await startLoyalty();
    await using orders = await startOrders(yesterday('orders'));
    // The thing has its second version again, so its next event has the sequence of an event that was lost.
    expect(await change(orders, old)).toBe(3);
    await effects(loyalty, old, 4);
    expect(await effectsOf(loyalty.database, old)).toEqual([1, 2, 3, 3]);
    expect(await effectsOf(loyalty.database, young)).toEqual([1]);
    const reported = errors().filter(({ msg }) => /^the producer has other events under these numbers/.test(String(msg)));
    expect(reported).toMatchObject([{ producer: 'orders', after_number: 2, events: 2 }]);
    expect(await restores()).toMatchObject({ unknown_events: 1, lost_events: 0 });
    expect(await readCompleteness(loyalty.database)).toMatchObject([{ producer: 'orders', unknown: 2, lost: [] }]);
  });

  test('the consumer’s database of yesterday: the events since then have their effects again, once and in order', async () => {
    const yesterday = await liveThroughABackup();
    await using orders = await startOrders();
    await using loyalty = await startLoyalty(yesterday('loyalty'));
    await effects(loyalty, young, 1);
    await change(orders, old);
    await effects(loyalty, old, 4);
    expect(await effectsOf(loyalty.database, old)).toEqual([1, 2, 3, 4]);
    expect(await effectsOf(loyalty.database, young)).toEqual([1]);
    expect(errors()).toEqual([]);
    expect(platform.lines).toContainEqual(
      expect.objectContaining({ msg: expect.stringMatching(/^the broker did not deliver these events/), events: 2 }),
    );
  });

  test('databases and a stream of today are not taken for restored ones', async () => {
    await liveThroughABackup();
    await using orders = await startOrders();
    await using loyalty = await startLoyalty();
    await change(orders, young);
    await effects(loyalty, young, 2);
    expect(errors()).toEqual([]);
  });

  test('a database from a dump, on a server that numbers transactions anew: every event is published again, once, and then new ones', async () => {
    await liveThroughABackup();
    const client = new pg.Client({ connectionString: platform.database.adminUrl });
    await client.connect();
    // The rows are of transactions that this server has not had yet, as in a dump of a server that had more.
    await client.query(`update orders.outbox set transaction_id = (transaction_id::text::bigint + 1000000)::text::xid8;
      update orders.relay_state set snapshot = (select format('%s:%1$s:', max(transaction_id::text::bigint) + 1) from orders.outbox)::pg_snapshot`);
    await client.end();
    await using orders = await startOrders();
    await using loyalty = await startLoyalty();
    const { relay } = await orders.backbone;
    await until(() => relay.state.published === 4, { describe: 'the events of the outbox' });
    for (let n = 2; n <= 4; n += 1) {
      await change(orders, young);
      await effects(loyalty, young, n);
    }
    expect(await effectsOf(loyalty.database, old)).toEqual([1, 2, 3]);
    expect(await effectsOf(loyalty.database, young)).toEqual([1, 2, 3, 4]);
    expect(relay.state.published).toBe(7);
    expect(await restores()).toMatchObject({ renumbered: 1 });
  });
});

test('a change that is committed while a relay begins is no sign of a restored database', async () => {
  await using orders = await startOrders();
  await using holder = await connect();
  await holder.query('begin; lock table orders.relay_state in access exclusive mode');
  await using relay = await connect();
  const { rows } = await relay.query<{ pid: number }>('select pg_backend_pid() as pid');
  const renumbered = relay.query<{ done: boolean }>('select orders.renumber_outbox() as done');
  const waits = `select from pg_stat_activity where pid = ${rows[0]?.pid} and wait_event_type = 'Lock'`;
  await until(async () => (await admin.query(waits)).rowCount === 1, { describe: 'the look at the outbox to wait' });
  await change(orders, young);
  await holder.query('commit');
  expect((await renumbered).rows).toEqual([{ done: false }]);
});

async function connect() {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
