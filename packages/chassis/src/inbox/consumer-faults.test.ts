import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { digestEvents } from '../outbox/numbered-events.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';
import { digestProcessed } from './digest-processed.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;
const trouble = new Map<string, () => void | Promise<void>>();
const definition = consumer(async ({ data }) => trouble.get(data.thing_id)?.());

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
const processed = (thingId: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thingId)).length >= count, { describe: `${count} effects` });
const deadLetters = async () =>
  (await loyalty.database.one(sql.type(z.object({ count: z.number() }))`select count(*) from dead_letter`)).count;
const restart = async () => {
  await loyalty[Symbol.asyncDispose]();
  loyalty = await platform.start(definition);
  await loyalty.backbone;
};

test('an event that was delivered many times is still tried while faults are transient', async () => {
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
    await restart(); // A stop hands the event back, and the broker counts one more delivery.
  }
  const triesBefore = tries;
  await until(() => tries >= triesBefore + 11, { describe: 'eleven more tries' });
  expect(await deadLetters()).toBe(0);
  trouble.delete(thing);
  await processed(thing, 1);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
});

test('no event is lost, doubled, reordered or dead-lettered while the consumer’s Postgres is away for longer than the ack wait', async () => {
  const things = [newThing(), newThing()];
  await using admin = await adminClient();
  const role = new URL(platform.database.roleUrl('loyalty')).username;
  for (const thing of things) await change(thing);
  await Promise.all(things.map((thing) => processed(thing, 1)));
  await admin.client.query(`alter role ${role} connection limit 0`);
  await admin.client.query('select pg_terminate_backend(pid, 1000) from pg_stat_activity where usename = $1', [role]);
  for (let n = 0; n < 30; n += 1) for (const thing of things) await change(thing);
  const { broker } = await orders.backbone;
  const startedAt = performance.now();
  const durable = await broker.js.consumers.get(broker.streamOf('orders'), 'loyalty');
  await until(async () => (await durable.info()).num_redelivered >= 0 && performance.now() > startedAt + 9_000, {
    describe: 'more than twice the ack wait',
  });
  await admin.client.query(`alter role ${role} connection limit -1`);
  for (const thing of things) {
    await processed(thing, 31);
    expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1));
  }
  expect(await deadLetters()).toBe(0);
});

test('a message with a NUL character becomes a dead letter like any other unreadable message', async () => {
  const { broker } = await orders.backbone;
  const countBefore = await deadLetters();
  await broker.js.publish(broker.subject(`orders.thing.changed.v1.${storeId}`), '\u0000{');
  await until(async () => (await deadLetters()) === countBefore + 1, { describe: 'a dead letter' });
  const thing = newThing();
  await change(thing);
  await processed(thing, 1);
});

test('an event in progress when its process died has its effects before later events of its aggregate', async () => {
  const thing = newThing();
  const { promise: reached, resolve: enter } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  trouble.set(thing, async () => {
    enter();
    await ended;
    throw Object.assign(new Error('died'), { code: 'ECONNRESET' });
  });
  await change(thing);
  await reached;
  const { broker } = await loyalty.backbone;
  await broker.connection.close(); // As in a crash, nothing is handed back to the broker.
  trouble.delete(thing);
  await change(thing);
  const stopped = loyalty[Symbol.asyncDispose]();
  end();
  await stopped;
  loyalty = await platform.start(definition);
  await change(thing);
  await processed(thing, 3);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3]);
});

test('two replicas that consume keep the order of an aggregate', async () => {
  await using second = await platform.start(definition);
  await second.backbone;
  const thing = newThing();
  for (let n = 0; n < 150; n += 1) await change(thing);
  await processed(thing, 150);
  expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
});

async function adminClient(): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

test('events that the broker delivers to no one, or to another program, are read from their producer, once and in order', async () => {
  const { broker } = await loyalty.backbone;
  const stream = broker.streamOf('orders');
  await processedOne();
  // The broker delivers no event while one is in progress, and another program never finishes one.
  await broker.jsm.consumers.update(stream, 'loyalty', { max_ack_pending: 1 });
  const consumer = await broker.js.consumers.get(stream, 'loyalty');
  const kept = Promise.withResolvers<JsMsg>();
  const messages = await consumer.fetch({ max_messages: 1, expires: 60_000 });
  const keeping = (async () => {
    for await (const message of messages) kept.resolve(message);
  })().catch(() => {});
  const things: string[] = [];
  const first = await until(
    async () => {
      const thing = newThing();
      things.push(thing);
      await change(thing);
      return await Promise.race([kept.promise, processed(thing, 1).then(() => null)]);
    },
    { describe: 'an event that the other program keeps' },
  );
  const timer = setInterval(() => first?.working(), 500);
  const later = newThing();
  things.push(later);
  await change(later);
  await processed(later, 1);
  clearInterval(timer);
  await messages.close();
  await keeping;
  for (const thing of things) {
    await processed(thing, 1);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  }
  await broker.jsm.consumers.update(stream, 'loyalty', { max_ack_pending: 1_000 });
});

async function processedOne(): Promise<void> {
  const thing = newThing();
  await change(thing);
  await processed(thing, 1);
}

test('no fault above left a number out: every range of the outbox is the same in the inbox', async () => {
  const { ranges } = await digestEvents(orders.database, 1);
  expect(ranges.length).toBeGreaterThan(0);
  await until(async () => JSON.stringify((await digestProcessed(loyalty.database, 'orders', ranges)).ranges) === JSON.stringify(ranges), {
    describe: 'the same ranges',
  });
});
