import { randomUUID } from 'node:crypto';
import * as operator from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { on } from '../inbox/event-handler.ts';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { thingChanged } from '../testing/contracts.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;
let call: ReturnType<typeof createCall>;

const trouble = new Map<string, () => void>();
const handled: string[] = [];

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  const plain = consumer(async ({ data }) => trouble.get(data.thing_id)?.());
  loyalty = await platform.start({
    ...plain,
    eventHandlers: {
      ...plain.eventHandlers,
      recordId: on(thingChanged, async ({ id }) => void handled.push(id)),
    },
  });
  const { broker } = await orders.backbone;
  call = createCall(() => broker);
  await loyalty.backbone;
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const [count, begin, page] = [operator.countReplay('loyalty'), operator.beginReplay('loyalty'), operator.replayPage('loyalty')];

async function processedThings(many: number) {
  const { broker } = await orders.backbone;
  const clock = async () => {
    // The broker keeps milliseconds, and the range must not share one with earlier events.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Date().toISOString();
  };
  const since = await clock();
  const things = Array.from({ length: many }, newThing);
  for (const thing of things) await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await until(
    async () => {
      const processed = await Promise.all(things.map((thing) => effectsOf(loyalty.database, thing)));
      const dead = await loyalty.database.oneFirst(
        sql.type(z.object({ count: z.number() }))`select count(*) from dead_letter where settled_at is null`,
      );
      return processed.filter(({ length }) => length > 0).length + dead >= many;
    },
    { describe: 'all events to be processed' },
  );
  expect(broker.connection.isClosed()).toBe(false);
  return { since, until: await clock(), things };
}

async function replay(range: operator.ReplayRange, id: string = randomUUID()) {
  await call(begin, { ...range, replay_id: id, by: 'cy', counted: 0 });
  for (let from: { producer: number; sequence: number } | null = { producer: 0, sequence: 0 }; ; ) {
    const reply: operator.RpcOutput<typeof page> = await call(page, { replay_id: id, from: from ?? { producer: 0, sequence: 0 } });
    from = reply.next;
    if (from === null) return reply;
  }
}

test('a count changes nothing, and a replay brings exactly the events of its range to the named handler', async () => {
  await processedThings(2);
  const { things, ...range } = await processedThings(3);
  await processedThings(1);
  handled.length = 0;
  expect(await call(count, range)).toEqual({
    counts: [{ type: 'thing.changed', count: 3, event_handlers: ['noteWhenThingChanged', 'recordId'] }],
  });
  expect(handled).toEqual([]);
  const id = randomUUID();
  expect(await replay({ ...range, to: 'recordId' }, id)).toMatchObject({ processed: 3, skipped: 0, failed: 0 });
  const ids = await orders.database.anyFirst(sql.type(z.object({ event_id: z.string() }))`
    select event_id from outbox where aggregate_id = any(${sql.array(things, 'text')}) order by id`);
  expect(handled).toEqual(ids);
  expect(await Promise.all(things.map((thing) => effectsOf(loyalty.database, thing)))).toEqual([[1], [1], [1]]);
  expect(
    await loyalty.database.one(sql.type(z.object({ by: z.string(), handler: z.string(), processed: z.number(), ended: z.boolean() }))`
      select by, handler, processed, ended_at is not null as ended from replay where id = ${id}`),
  ).toEqual({ by: 'cy', handler: 'recordId', processed: 3, ended: true });
});

test('a repeated page has its effects once, and another replay has them again', async () => {
  const { things: _, ...range } = await processedThings(2);
  handled.length = 0;
  const id = randomUUID();
  await replay({ ...range, to: 'recordId' }, id);
  const repeated = await Promise.all([1, 2].map(() => replay({ ...range, to: 'recordId' }, id)));
  expect(repeated).toEqual([1, 2].map(() => expect.objectContaining({ processed: 2, failed: 0 })));
  expect(handled).toHaveLength(2);
  await replay({ ...range, to: 'recordId' });
  expect(handled).toHaveLength(4);
});

test('an event that fails in a replay has no effects, is named, does not stop the others, and can be tried again in the same replay', async () => {
  const { things, ...range } = await processedThings(3);
  const bad = things[1] ?? '';
  trouble.set(bad, () => {
    throw new Error('still broken');
  });
  const id = randomUUID();
  const first = await replay({ ...range, to: 'noteWhenThingChanged' }, id);
  expect(first).toMatchObject({ processed: 2, failed: 1, failures: [{ type: 'thing.changed', error: 'Error: still broken' }] });
  expect(await effectsOf(loyalty.database, bad)).toEqual([1]);
  trouble.delete(bad);
  expect(await replay({ ...range, to: 'noteWhenThingChanged' }, id)).toMatchObject({ processed: 3, failed: 0, failures: [] });
  expect(await effectsOf(loyalty.database, bad)).toEqual([1, 1]);
});

test('a replay skips dead letters', async () => {
  const stays = newThing();
  trouble.set(stays, () => {
    throw new Error('poison');
  });
  const since = new Date(Date.now() - 5).toISOString();
  await orders.database.transaction((tx) => changeAndPublish(tx, stays, storeId));
  const isDead = () => loyalty.database.exists(sql.type(z.object({}))`select 1 from dead_letter where payload like ${`%${stays}%`}`);
  await until(isDead, { describe: 'a dead letter' });
  trouble.delete(stays);
  const { skipped } = await replay({ since, until: new Date(Date.now() + 60_000).toISOString() });
  expect(skipped).toBe(1);
  expect(await effectsOf(loyalty.database, stays)).toEqual([]);
});

test('a replay to an unknown handler or of an unknown type is refused with the existing names', async () => {
  const range = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
  await expect(call(count, { ...range, to: 'noSuch' })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'there is no event handler noSuch; there are: noteWhenThingChanged, recordId',
  });
  await expect(call(count, { ...range, type: 'no.such' })).rejects.toMatchObject({
    message: expect.stringContaining('taken are: thing.changed'),
  });
  await expect(call(count, { since: range.until, until: range.since })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
