import { randomUUID } from 'node:crypto';
import { dataSchemaOf, Problem } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { discardDeadLetter, retryDeadLetter } from '../operator/settle-dead-letter.ts';
import type { RunningService } from '../service.ts';
import { inSpan, startTelemetry } from '../telemetry/telemetry.ts';
import { thingChanged } from '../testing/contracts.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;

const trouble = new Map<string, () => void>();
const definition = consumer(async ({ data }) => trouble.get(data.thing_id)?.());

const telemetry = startTelemetry({ service: 'test' });

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
  await telemetry.stop();
});

const change = (thingId: string) => orders.database.transaction((tx) => changeAndPublish(tx, thingId, storeId));
const processed = (thingId: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thingId)).length >= count, { describe: `${count} effects` });
const deadLetters = (thingId: string) =>
  loyalty.database.any(sql.type(
    z.object({
      event_id: z.string(),
      error: z.string(),
      settled_as: z.string().nullable(),
      settled_by: z.string().nullable(),
      settled_reason: z.string().nullable(),
    }),
  )`
    select event_id, error, settled_as, settled_by, settled_reason from dead_letter where payload like ${`%${thingId}%`}`);

describe('an event handler', () => {
  test('has its effects once when the event is delivered again', async () => {
    const thing = newThing();
    await change(thing);
    await processed(thing, 1);
    const { broker } = await loyalty.backbone;
    // A new consumer gets the whole stream again: every event comes a second time.
    await broker.jsm.consumers.delete(broker.streamOf('orders'), 'loyalty');
    await platform.broker.ensureStreams();
    await change(thing);
    await processed(thing, 2);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2]);
  });

  test('that fails runs again, and nothing of the first attempt remains', async () => {
    const thing = newThing();
    let tries = 0;
    trouble.set(thing, () => {
      tries += 1;
      if (tries < 3) throw new Error('not today');
    });
    await change(thing);
    await processed(thing, 1);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(await deadLetters(thing)).toEqual([]);
  });

  test('runs again for as long as faults are transient, without a dead letter', async () => {
    const thing = newThing();
    let tries = 0;
    trouble.set(thing, () => {
      tries += 1;
      if (tries < 8) throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    });
    await change(thing);
    await processed(thing, 1);
    expect(await deadLetters(thing)).toEqual([]);
  });

  test('that never succeeds leaves a dead letter with the reason, and later events go on', async () => {
    const [bad, good] = [newThing(), newThing()];
    trouble.set(bad, () => {
      throw new Error('broken invariant');
    });
    const traceId = await inSpan('change', {}, async (span) => {
      await change(bad);
      return span.spanContext().traceId;
    });
    await change(good);
    await processed(good, 1);
    await until(async () => (await deadLetters(bad)).length === 1, { describe: 'a dead letter' });
    const [deadLetter] = await deadLetters(bad);
    expect(deadLetter?.error).toContain('broken invariant');
    const lines = platform.lines.filter(({ event_id, trace_id }) => event_id === deadLetter?.event_id && trace_id === traceId);
    const tries = lines.filter(({ msg }) => msg === 'an event failed: trying it again');
    expect(tries.length).toBeGreaterThanOrEqual(4);
    expect(lines.at(-1)?.msg).toBe('an event became a dead letter');
    expect(await effectsOf(loyalty.database, bad)).toEqual([]);
  });

  test('runs once when its dead letter is retried, which records who retried it', async () => {
    const thing = newThing();
    trouble.set(thing, () => {
      throw new Error('until fixed');
    });
    await change(thing);
    await until(async () => (await deadLetters(thing)).length === 1, { describe: 'a dead letter' });
    const eventId = (await deadLetters(thing))[0]?.event_id as string;
    const options = {
      database: loyalty.database,
      eventHandlers: definition.eventHandlers ?? {},
      context: loyalty.database,
      log: loyalty.log,
    };
    await expect(retryDeadLetter(options, eventId, { by: 'cy' })).rejects.toThrow('until fixed');
    trouble.delete(thing);
    await retryDeadLetter(options, eventId, { by: 'cy' });
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
    expect(await deadLetters(thing)).toMatchObject([{ settled_as: 'retried', settled_by: 'cy' }]);
    await expect(retryDeadLetter(options, eventId, { by: 'cy' })).rejects.toThrow(Problem);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });

  test('never runs for a discarded dead letter, which records the reason', async () => {
    const thing = newThing();
    trouble.set(thing, () => {
      throw new Error('hopeless');
    });
    await change(thing);
    await until(async () => (await deadLetters(thing)).length === 1, { describe: 'a dead letter' });
    await discardDeadLetter(loyalty.database, (await deadLetters(thing))[0]?.event_id as string, 'cy', 'test data');
    expect(await deadLetters(thing)).toMatchObject([{ settled_as: 'discarded', settled_reason: 'test data' }]);
  });

  test('does not run for a message that is not an event envelope: the message becomes a dead letter at once', async () => {
    const { broker } = await orders.backbone;
    await broker.js.publish(broker.subject(`orders.thing.changed.v1.${storeId}`), `{"no":"envelope"}`);
    const found = () => loyalty.database.exists(sql.type(z.object({}))`select 1 from dead_letter where type = 'unreadable'`);
    await until(found, { describe: 'a dead letter of the unreadable message' });
  });

  test('does not run for data that breaks the contract: the dead letter names the field and says what is wrong', async () => {
    const { broker } = await orders.backbone;
    const thing = newThing();
    const envelope = {
      specversion: '1.0',
      id: randomUUID(),
      source: '/orders',
      type: 'thing.changed',
      dataschema: dataSchemaOf(thingChanged),
      subject: thing,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      sequence: 1,
      storeid: storeId,
      data: { thing_id: thing, version: 'first' },
    };
    await broker.js.publish(broker.subject(`orders.thing.changed.v1.${storeId}`), JSON.stringify(envelope));
    await until(async () => (await deadLetters(thing)).length === 1, { describe: 'a dead letter' });
    const reason = 'Error: it does not fit /events/thing.changed/v1: data.version: Invalid input: expected number, received string';
    expect((await deadLetters(thing))[0]?.error).toBe(reason);
  });

  test('runs in the next process when its own stops before the commit', async () => {
    const thing = newThing();
    let reached: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      reached = resolve;
    });
    trouble.set(thing, () => {
      reached();
      throw Object.assign(new Error('going away'), { code: 'ECONNRESET' });
    });
    await change(thing);
    await inside;
    await loyalty[Symbol.asyncDispose]();
    trouble.delete(thing);
    loyalty = await platform.start(definition);
    await loyalty.backbone;
    await processed(thing, 1);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });
});
