import { randomUUID } from 'node:crypto';
import { consumerParts } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { digestEvents } from '../outbox/numbered-events.ts';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';
import { setParts } from './consumer-layout.ts';
import { deliveryOfEvent } from './delivery.ts';
import { digestProcessed } from './digest-processed.ts';
import { producerOf, scopeOfEnvelope, scopeOfSubject, takesScope } from './parts.ts';

const mostParts = 4;
let platform: Platform;
let orders: RunningService<ProducerContext>;
const replicas: RunningService<Database>[] = [];
let admin: pg.Client;
const trouble = new Map<string, () => void>();
const definition = consumer(async ({ data }) => trouble.get(data.thing_id)?.());
const startReplica = async () => {
  const replica = await platform.start(definition);
  await replica.backbone;
  return replica;
};
const loyalty = () => replicas[0] as RunningService<Database>;

beforeAll(async () => {
  platform = await preparePlatform();
  await platform.broker.ensureStreams({ loyalty: mostParts });
  admin = new pg.Client({ connectionString: platform.database.adminUrl });
  await admin.connect();
  orders = await platform.start(producer());
  await orders.backbone;
  for (let nth = 0; nth < 3; nth += 1) replicas.push(await startReplica());
});
beforeEach(() => setParts(loyalty().database, 1));
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await admin.end();
  await platform[Symbol.asyncDispose]();
});

const things = Array.from({ length: 24 }, () => ({ id: newThing(), storeId: randomUUID(), changes: 0 }));
type Thing = (typeof things)[number];
const change = async (thing: Thing) => {
  await orders.database.transaction((tx) => changeAndPublish(tx, thing.id, thing.storeId));
  thing.changes += 1;
};
const changeAll = async () => {
  for (const thing of things) await change(thing);
};

const partsRead = async () =>
  await Promise.all(
    replicas.map(async (replica) => {
      const { state } = (await replica.backbone).consumers;
      return [...state.pulling]
        .filter((label) => producerOf(label) === 'orders')
        .map((label) => Number(/part (\d+)/.exec(label)?.[1] ?? 1));
    }),
  );
const untilReadIn = (parts: number) =>
  until(async () => (await partsRead()).flat().toSorted().join() === Array.from({ length: parts }, (_, part) => part + 1).join(), {
    describe: `${parts} parts to be read, each by one replica`,
  });

const Effect = z.object({ thing_id: z.string(), version: z.number() });
const effects = () => loyalty().database.any(sql.type(Effect)`select thing_id, version from effect order by id`);
async function wrongInTheEnd(): Promise<object[]> {
  const wanted = things.reduce((sum, { changes }) => sum + changes, 0);
  const mine = new Set(things.map(({ id }) => id));
  await until(async () => (await effects()).filter(({ thing_id }) => mine.has(thing_id)).length >= wanted, { describe: 'all effects' });
  const all = await effects();
  return things.flatMap(({ id, changes }) => {
    const versions = all.filter(({ thing_id }) => thing_id === id).map(({ version }) => version);
    const right = Array.from({ length: changes }, (_, index) => index + 1);
    return versions.join() === right.join() ? [] : [{ id, versions }];
  });
}

async function verified(): Promise<void> {
  const { last, ranges } = await digestEvents(orders.database, 1);
  await until(async () => (await digestProcessed(loyalty().database, 'orders', [])).complete_up_to === last, {
    describe: 'all to be complete',
  });
  expect((await digestProcessed(loyalty().database, 'orders', ranges)).ranges).toEqual(ranges);
}

describe('what a service consumes, divided into parts', () => {
  test('is read by all replicas, each of which has its share, and has its effects once and in order', async () => {
    await setParts(loyalty().database, 3);
    await untilReadIn(3);
    await until(async () => (await partsRead()).every((parts) => parts.length === 1), { describe: 'a part for each replica' });
    await changeAll();
    await changeAll();
    expect(await wrongInTheEnd()).toEqual([]);
    const counts = await Promise.all(replicas.map(async (replica) => (await replica.backbone).consumers.state.processed));
    expect(counts.every((count) => count > 0)).toBe(true);
    await verified();
  });

  test('changes its number of parts while events come: nothing is lost, doubled or out of order', async () => {
    let running = true;
    const load = (async () => {
      while (running) await changeAll();
    })();
    for (const parts of [4, 2, 3, 1]) {
      await setParts(loyalty().database, parts);
      await untilReadIn(parts);
    }
    running = false;
    await load;
    expect(await wrongInTheEnd()).toEqual([]);
    await verified();
  });

  test('goes on at other replicas when one loses its connection to Postgres in the middle of it', async () => {
    await setParts(loyalty().database, 3);
    await untilReadIn(3);
    let running = true;
    const load = (async () => {
      while (running) await changeAll();
    })();
    for (let round = 0; round < 3; round += 1) {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'loyalty consumer' order by random() limit 1`,
      );
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await until(async () => (await admin.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount === 0, {
        describe: 'the connection to end',
      });
      await untilReadIn(3);
    }
    running = false;
    await load;
    expect(await wrongInTheEnd()).toEqual([]);
    await verified();
  });

  test('comes whole when the broker forgets the consumer of a part', async () => {
    await setParts(loyalty().database, 2);
    await untilReadIn(2);
    const { broker } = await orders.backbone;
    await changeAll();
    await broker.jsm.consumers.delete(broker.streamOf('orders'), 'loyalty_2');
    await changeAll();
    // Without its consumer, the part is read from the producer.
    expect(await wrongInTheEnd()).toEqual([]);
    await platform.broker.ensureStreams({ loyalty: mostParts });
    await changeAll();
    expect(await wrongInTheEnd()).toEqual([]);
    await verified();
  });

  test('has a poison event as one dead letter, and what follows it goes on', async () => {
    await setParts(loyalty().database, 3);
    await untilReadIn(3);
    const [bad] = things as [Thing];
    const poison = newThing();
    trouble.set(poison, () => {
      throw new Error('never');
    });
    await orders.database.transaction((tx) => changeAndPublish(tx, poison, bad.storeId));
    await change(bad);
    const letters = () =>
      loyalty().database.oneFirst(
        sql.type(z.object({ count: z.number() }))`select count(*) from dead_letter where payload like ${`%${poison}%`}`,
      );
    await until(async () => (await letters()) === 1, { describe: 'a dead letter' });
    expect(await wrongInTheEnd()).toEqual([]);
    await verified();
  });
});

test('an operator reads and changes the number of parts, and is on record', async () => {
  await untilReadIn(1);
  const { broker } = await orders.backbone;
  const ask = (parts: number | null) => createCall(() => broker, 1, 'cy')(consumerParts('loyalty'), { parts, by: 'cy' });
  expect(await ask(2)).toMatchObject({ parts: 2 });
  await untilReadIn(2);
  expect(await ask(null)).toEqual({ parts: 2, prepared: 2 });
  await expect(ask(0)).rejects.toThrow(/>=1/);
  expect(platform.lines).toContainEqual(expect.objectContaining({ service: 'loyalty', parts: 2, by: 'cy' }));
});

describe('a replica that reads all', () => {
  test('waits while others read parts, and they wait while it reads: as one of an earlier version does', async () => {
    await setParts(loyalty().database, 2);
    await untilReadIn(2);
    const lock = `select pg_try_advisory_lock(hashtextextended('corner consumer loyalty', 0)) as ours`;
    expect((await admin.query<{ ours: boolean }>(lock)).rows).toEqual([{ ours: false }]);
    await setParts(loyalty().database, 1);
    await untilReadIn(1);
    expect((await admin.query<{ ours: boolean }>(lock)).rows).toEqual([{ ours: false }]);
    // The session ends, and the earlier version takes the lock first.
    await until(
      async () => {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'loyalty consumer'`,
        );
        return (await admin.query<{ ours: boolean }>(lock)).rows[0]?.ours === true;
      },
      { describe: 'the lock' },
    );
    await setParts(loyalty().database, 3);
    await until(async () => (await partsRead()).flat().length === 0, { describe: 'no part to be read' });
    await changeAll();
    await admin.query(`select pg_advisory_unlock_all()`);
    await untilReadIn(3);
    expect(await wrongInTheEnd()).toEqual([]);
  });
});

test('every scope belongs to one part, and parts are of about one size', () => {
  const scopes = Array.from({ length: 3_000 }, () => randomUUID());
  for (const count of [1, 2, 3, 4, 7]) {
    const sizes = Array.from({ length: count }, (_, part) => scopes.filter((scope) => takesScope({ part, of: count }, scope)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(scopes.length);
    for (const size of sizes) expect(Math.abs(size - scopes.length / count)).toBeLessThan(200);
  }
});

test('an event has the same scope by its subject and by its envelope', () => {
  const [store, object] = [randomUUID(), randomUUID()];
  expect(scopeOfSubject(`orders.thing.changed.v1.${store}`)).toBe(scopeOfEnvelope('orders', { subject: object, storeid: store }));
  expect(scopeOfSubject('orders.thing.changed.v1.all')).toBe(scopeOfEnvelope('orders', { subject: object }));
  expect(scopeOfSubject(`directory.store.v1.${object}`)).toBe(scopeOfEnvelope('directory', { subject: object, storeid: store }));
});

test('an event that was read from its producer belongs to the part of its subject, also when its envelope cannot be read', () => {
  const parts = [0, 1, 2, 3].map((part) => ({ part, of: 4 }));
  const takenBy = (sent: unknown) => parts.filter((part) => deliveryOfEvent('orders', 7, sent, part).isOurs);
  for (let n = 0; n < 20; n += 1) {
    const storeid = newThing();
    const ofSubject = parts.filter((part) => takesScope(part, scopeOfSubject(`orders.thing.changed.v1.${storeid}`)));
    for (const sent of [
      { storeid, subject: 'x' },
      { storeid, time: 'yesterday' },
      { storeid, subject: 1, source: '/queue' },
    ])
      expect(takenBy(sent)).toEqual(ofSubject);
  }
  const ofAll = parts.filter((part) => takesScope(part, 'all'));
  for (const sent of [null, 'text', { storeid: 5 }]) expect(takenBy(sent)).toEqual(ofAll);
});
