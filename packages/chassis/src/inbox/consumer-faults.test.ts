import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, listener, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;
/** What the reaction does for a thing before it succeeds; a test sets it. */
const trouble = new Map<string, () => void | Promise<void>>();
const definition = listener(async ({ data }) => trouble.get(data.thing_id)?.());

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  loyalty = await platform.start(definition);
  await Promise.all([orders.backbone, loyalty.backbone]);
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const change = (thingId: string) => orders.database.transaction((tx) => changeAndPublish(tx, thingId, storeId));
const heard = (thingId: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thingId)).length >= count, { describe: `${count} effects` });
const deadLetters = async () =>
  (await loyalty.database.one(sql.type(z.object({ count: z.number() }))`select count(*) from dead_letter`)).count;
const restart = async () => {
  await loyalty[Symbol.asyncDispose]();
  loyalty = await platform.start(definition);
  await loyalty.backbone;
};

test('an event delivered many times is still tried for as long as the world is in trouble', async () => {
  const thing = newThing();
  let tries = 0;
  let signal = Promise.withResolvers<void>();
  trouble.set(thing, () => {
    tries += 1;
    signal.resolve();
    throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
  });
  await change(thing);
  for (let i = 0; i < 3; i += 1) {
    await signal.promise;
    signal = Promise.withResolvers();
    await restart(); // Hands the event back: the broker counts one more delivery.
  }
  const before = tries;
  await until(() => tries >= before + 11, { describe: 'eleven more tries' });
  expect(await deadLetters()).toBe(0);
  trouble.delete(thing);
  await heard(thing, 1);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
});

test('nothing is set aside, doubled or misordered when the listener’s Postgres is away for longer than the broker waits', async () => {
  const things = [newThing(), newThing()];
  await using admin = await adminClient();
  const role = new URL(platform.database.roleUrl('loyalty')).username;
  for (const thing of things) await change(thing);
  await Promise.all(things.map((thing) => heard(thing, 1)));
  await admin.client.query(`alter role ${role} connection limit 0`);
  await admin.client.query('select pg_terminate_backend(pid, 1000) from pg_stat_activity where usename = $1', [role]);
  for (let n = 0; n < 30; n += 1) for (const thing of things) await change(thing);
  const { broker } = await orders.backbone;
  const before = performance.now();
  const consumer = await broker.js.consumers.get(broker.streamOf('orders'), 'loyalty');
  await until(async () => (await consumer.info()).num_redelivered >= 0 && performance.now() > before + 9_000, {
    describe: 'more than twice the time the broker waits',
  });
  await admin.client.query(`alter role ${role} connection limit -1`);
  for (const thing of things) {
    await heard(thing, 31);
    expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1));
  }
  expect(await deadLetters()).toBe(0);
});

test('a message with a NUL in it is set aside like any other that cannot be read', async () => {
  const { broker } = await orders.backbone;
  const deadLetter = await deadLetters();
  await broker.js.publish(broker.subject(`orders.thing.changed.v1.${storeId}`), '\u0000{');
  await until(async () => (await deadLetters()) === deadLetter + 1, { describe: 'the message set aside' });
  const thing = newThing();
  await change(thing);
  await heard(thing, 1);
});

test('an event that was in hand when its reader died has its effect before those told later', async () => {
  const thing = newThing();
  const { promise: reached, resolve: nowInside } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  trouble.set(thing, async () => {
    nowInside();
    await ended;
    throw Object.assign(new Error('died'), { code: 'ECONNRESET' });
  });
  await change(thing);
  await reached;
  const { broker } = await loyalty.backbone;
  await broker.connection.close(); // As when the process is killed: nothing is handed back.
  trouble.delete(thing);
  await change(thing);
  const dying = loyalty;
  const stopped = dying[Symbol.asyncDispose]();
  end();
  await stopped;
  loyalty = await platform.start(definition);
  await change(thing);
  await heard(thing, 3);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3]);
});

test('two replicas that listen keep the order of an aggregate', async () => {
  await using second = await platform.start(definition);
  await second.backbone;
  const thing = newThing();
  for (let n = 0; n < 150; n += 1) await change(thing);
  await heard(thing, 150);
  expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
});

async function adminClient(): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
