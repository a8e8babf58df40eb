import type { Digest } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DeliverPolicy } from '@nats-io/jetstream';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { digestProcessed } from '../inbox/digest-processed.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId, untilPublished } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';
import { beginNumbering, LostLeadership, lead, type Numbering } from './leadership.ts';
import { digestEvents } from './numbered-events.ts';
import { takeBatch } from './relay-batches.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  loyalty = await platform.start(consumer());
  await Promise.all([orders.backbone, loyalty.backbone]);
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const change = (thingId: string) => orders.database.transaction((tx) => changeAndPublish(tx, thingId, storeId));
const processed = (thingId: string, versions: number[]) =>
  until(async () => (await effectsOf(loyalty.database, thingId)).length >= versions.length, {
    describe: `${versions.length} effects`,
  });

describe('the relay', () => {
  test('delivers an event from its transaction to the effect in another service', async () => {
    const thing = newThing();
    await change(thing);
    await processed(thing, [1]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });

  test('publishes nothing of a transaction that was rolled back', async () => {
    const [undone, done] = [newThing(), newThing()];
    await expect(
      orders.database.transaction(async (tx) => {
        await changeAndPublish(tx, undone, storeId);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await change(done);
    await processed(done, [1]);
    expect(await effectsOf(loyalty.database, undone)).toEqual([]);
  });

  test('loses no event of a transaction that commits after a later one has been published', async () => {
    const [slow, quick] = [newThing(), newThing()];
    await using early = await connected(platform.database.roleUrl('orders'));
    await early.client.query('begin');
    await early.client.query(publishBySql, [slow, storeId, JSON.stringify({ thing_id: slow, version: 1 })]);
    await change(quick);
    await processed(quick, [1]); // The relay has read past the id of the open transaction.
    expect(await effectsOf(loyalty.database, slow)).toEqual([]);
    await early.client.query('commit');
    await processed(slow, [1]);
    expect(await effectsOf(loyalty.database, slow)).toEqual([1]);
  });

  test('keeps the order of one aggregate under many writers', async () => {
    const things = Array.from({ length: 5 }, newThing);
    // Few enough at once that none waits long for a connection.
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 40 }, (_, i) => change(things[i % 5] as string)));
    for (const thing of things) {
      await processed(
        thing,
        Array.from({ length: 40 }, (_, i) => i + 1),
      );
      expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    }
  });

  test('publishes a batch that was recorded and not published, as after a crash between the two', async () => {
    const { relay } = await orders.backbone;
    await relay[Symbol.asyncDispose]();
    const thing = newThing();
    await change(thing);
    {
      await using leader = await connected(platform.database.roleUrl('orders'));
      const batch = await takeBatch(leader.client, await numbering(leader.client));
      expect(batch?.size).toBeGreaterThan(0);
    }
    expect(await effectsOf(loyalty.database, thing)).toEqual([]);
    orders = await restarted();
    await processed(thing, [1]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });

  test('publishes again, without a second effect, what a crash of the server lost of its records', async () => {
    const thing = newThing();
    await change(thing);
    await processed(thing, [1]);
    const { relay } = await orders.backbone;
    await relay[Symbol.asyncDispose]();
    const { broker } = await loyalty.backbone;
    const messages = async () => (await broker.jsm.streams.info(broker.streamOf('orders'))).state.messages;
    const held = await messages();
    {
      await using admin = await connected(platform.database.adminUrl);
      await admin.client.query(`
        with lost as (delete from orders.relay_batch where first_number = (select max(first_number) from orders.relay_batch) returning *)
        update orders.relay_state set snapshot = lost.snapshot_before, last_number = lost.first_number - 1 from lost`);
    }
    await change(thing);
    orders = await restarted();
    await processed(thing, [1, 2]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2]);
    expect(await messages()).toBe(held + 1);
  });

  test('lets no former leader take a batch', async () => {
    await using former = await connected(platform.database.roleUrl('orders'));
    await using present = await connected(platform.database.roleUrl('orders'));
    const { relay } = await orders.backbone;
    await relay[Symbol.asyncDispose]();
    await change(newThing());
    const stale = await numbering(former.client);
    await lead(present.client);
    await expect(takeBatch(former.client, stale)).rejects.toThrow(LostLeadership);
    orders = await restarted();
  });

  test('pages through a backlog larger than it holds in memory, in order', async () => {
    const { relay } = await orders.backbone;
    await relay[Symbol.asyncDispose]();
    const thing = newThing();
    await using client = await connected(platform.database.roleUrl('orders'));
    await client.client.query(
      `insert into outbox (type, version, aggregate_id, aggregate_sequence, store_id, data)
       select 'thing.changed', 1, $1, n, $2, jsonb_build_object('thing_id', $1::text, 'version', n) from generate_series(1, 2500) n`,
      [thing, storeId],
    );
    orders = await restarted();
    await processed(
      thing,
      Array.from({ length: 2500 }, (_, i) => i),
    );
    expect(await effectsOf(loyalty.database, thing)).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
  });
});

describe('a broker that loses events', () => {
  test('is sent none of them again after its stream was deleted, and takes new ones', async () => {
    const thing = newThing();
    await change(thing);
    await processed(thing, [1]);
    const { broker } = await orders.backbone;
    await broker.jsm.streams.delete(broker.streamOf('orders'));
    await change(thing);
    await platform.broker.ensureStreams();
    await processed(thing, [1, 2]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2]);
    await untilPublished(orders.database);
    expect((await broker.jsm.streams.info(broker.streamOf('orders'))).state.messages).toBe(1);
  });

  test('delivers none of the end that it lost, and the consumer reads it from the producer', async () => {
    const { broker } = await orders.backbone;
    const thing = newThing();
    await change(thing);
    await processed(thing, [1]);
    await loyalty[Symbol.asyncDispose]();
    await change(thing);
    await untilPublished(orders.database);
    const { state } = await broker.jsm.streams.info(broker.streamOf('orders'));
    await broker.jsm.streams.deleteMessage(broker.streamOf('orders'), state.last_seq);
    loyalty = await platform.start(consumer());
    await processed(thing, [1, 2]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2]);
  });

  test('delivers what follows a message that it lost, and the consumer reads that one first', async () => {
    const { broker } = await orders.backbone;
    const thing = newThing();
    await loyalty[Symbol.asyncDispose]();
    for (let n = 0; n < 3; n += 1) {
      await change(thing);
      await untilPublished(orders.database);
    }
    const { state } = await broker.jsm.streams.info(broker.streamOf('orders'));
    await broker.jsm.streams.deleteMessage(broker.streamOf('orders'), state.last_seq - 1);
    loyalty = await platform.start(consumer());
    await processed(thing, [1, 2, 3]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3]);
  });

  test('is consumed again after the durable consumer was deleted', async () => {
    const { broker } = await loyalty.backbone;
    await broker.jsm.consumers.delete(broker.streamOf('orders'), 'loyalty');
    const thing = newThing();
    await change(thing);
    await platform.broker.ensureStreams();
    await processed(thing, [1]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });

  test('and that has no consumer any more loses none: they are read from the producer, in order, for as long as that lasts', async () => {
    const { broker } = await loyalty.backbone;
    await broker.jsm.consumers.delete(broker.streamOf('orders'), 'loyalty');
    const thing = newThing();
    for (const last of [1, 2, 3]) {
      await change(thing);
      await processed(
        thing,
        Array.from({ length: last }, (_, index) => index + 1),
      );
    }
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3]);
    await platform.broker.ensureStreams();
  });

  test('may have a consumer that an operator set ahead: what it skips is read from the producer', async () => {
    const { broker } = await loyalty.backbone;
    const stream = broker.streamOf('orders');
    await loyalty[Symbol.asyncDispose]();
    const thing = newThing();
    for (let n = 0; n < 5; n += 1) await change(thing);
    await untilPublished(orders.database);
    const { config } = await (await orders.backbone).broker.jsm.consumers.info(stream, 'loyalty');
    const { last_seq } = (await (await orders.backbone).broker.jsm.streams.info(stream)).state;
    const { jsm } = (await orders.backbone).broker;
    await jsm.consumers.delete(stream, 'loyalty');
    const { opt_start_time: _, ...kept } = config;
    await jsm.consumers.add(stream, { ...kept, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last_seq + 1_000 });
    loyalty = await platform.start(consumer());
    await change(thing);
    await processed(thing, [1, 2, 3, 4, 5, 6]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('leaves no number out: every range of the outbox is the same in the inbox', async () => {
    const { ranges, last } = await digestEvents(orders.database, 1);
    expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe((await outboxCount()).total);
    expect(last).toBe((await outboxCount()).total);
    await until(async () => same(ranges, (await digestProcessed(loyalty.database, 'orders', ranges)).ranges), {
      describe: 'the same ranges',
    });
  });
});

const same = (a: readonly Digest[], b: readonly Digest[]): boolean => JSON.stringify(a) === JSON.stringify(b);

async function numbering(client: pg.Client): Promise<Numbering> {
  const begun = await beginNumbering(client, await lead(client));
  if (!begun) throw new Error('there is no event to number');
  return begun;
}

const publishBySql = `insert into outbox (type, version, aggregate_id, aggregate_sequence, store_id, data) values ('thing.changed', 1, $1, 1, $2, $3)`;

async function connected(connectionString: string): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

async function restarted(): Promise<RunningService<ProducerContext>> {
  const next = await platform.start(producer());
  await next.backbone;
  await orders[Symbol.asyncDispose]();
  return next;
}

const outboxCount = () => orders.database.one(sql.type(z.object({ total: z.number() }))`select count(*) as total from outbox`);
