import { Problem } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { RpcUnavailable } from '../rpc/rpc.ts';
import type { RunningService } from '../service.ts';
import { double } from '../testing/contracts.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, listener, type ProducerContext, producer } from '../testing/services.ts';
import { discardDeadLetter, retryDeadLetter } from './dead-letters.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;

/** What the reaction does for a thing before it succeeds; a test sets it. */
const trouble = new Map<string, () => void>();
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

describe('a reaction', () => {
  test('has its effect once when the event is delivered again', async () => {
    const thing = newThing();
    await change(thing);
    await heard(thing, 1);
    const { broker } = await loyalty.backbone;
    // A consumer made anew delivers the whole stream again: every event comes a second time.
    await broker.jsm.consumers.delete(broker.streamOf('orders'), 'loyalty');
    await change(thing);
    await heard(thing, 2);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1, 2]);
  });

  test('that fails is tried again with nothing of the first try left: the inbox row goes with the effects', async () => {
    const thing = newThing();
    let tries = 0;
    trouble.set(thing, () => {
      tries += 1;
      if (tries < 3) throw new Error('not today');
    });
    await change(thing);
    await heard(thing, 1);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(await deadLetters(thing)).toEqual([]);
  });

  test('is tried for as long as the world is in trouble, and never set aside for it', async () => {
    const thing = newThing();
    let tries = 0;
    trouble.set(thing, () => {
      tries += 1;
      if (tries < 8) throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    });
    await change(thing);
    await heard(thing, 1);
    expect(await deadLetters(thing)).toEqual([]);
  });

  test('that never succeeds is set aside with its reason, and what follows goes on', async () => {
    const [bad, good] = [newThing(), newThing()];
    trouble.set(bad, () => {
      throw new Error('broken invariant');
    });
    await change(bad);
    await change(good);
    await heard(good, 1);
    await until(async () => (await deadLetters(bad)).length === 1, { describe: 'a dead letter' });
    expect((await deadLetters(bad))[0]?.error).toContain('broken invariant');
    expect(await effectsOf(loyalty.database, bad)).toEqual([]);
  });

  test('of a dead letter runs once when retried, and leaves who did it', async () => {
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
    await expect(retryDeadLetter(options, eventId, 'cy')).rejects.toThrow('until fixed');
    trouble.delete(thing);
    await retryDeadLetter(options, eventId, 'cy');
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
    expect(await deadLetters(thing)).toMatchObject([{ settled_as: 'retried', settled_by: 'cy' }]);
    await expect(retryDeadLetter(options, eventId, 'cy')).rejects.toThrow(Problem);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });

  test('of a discarded dead letter never runs, and the reason stays', async () => {
    const thing = newThing();
    trouble.set(thing, () => {
      throw new Error('hopeless');
    });
    await change(thing);
    await until(async () => (await deadLetters(thing)).length === 1, { describe: 'a dead letter' });
    await discardDeadLetter(loyalty.database, (await deadLetters(thing))[0]?.event_id as string, 'cy', 'test data');
    expect(await deadLetters(thing)).toMatchObject([{ settled_as: 'discarded', settled_reason: 'test data' }]);
  });

  test('is not begun for what is no envelope; that is set aside at once', async () => {
    const { broker } = await orders.backbone;
    await broker.js.publish(broker.subject(`orders.thing.changed.v1.${storeId}`), `{"no":"envelope"}`);
    const found = () => loyalty.database.exists(sql.type(z.object({}))`select 1 from dead_letter where type = 'unreadable'`);
    await until(found, { describe: 'the unreadable message set aside' });
  });

  test('is finished by whoever comes next when its listener goes away before committing', async () => {
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
    await heard(thing, 1);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
  });
});

describe('a question', () => {
  test('is answered by the other service', async () => {
    expect(await orders.context.call(double, { number: 21 })).toEqual({ doubled: 42 });
  });

  test('brings back the refusal by its name', async () => {
    await expect(orders.context.call(double, { number: 13 })).rejects.toMatchObject({ code: 'STAMP_NOT_FOUND', message: 'no such stamp' });
  });

  test('ends within its deadline when nobody answers', async () => {
    await loyalty[Symbol.asyncDispose]();
    await expect(orders.context.call(double, { number: 1 })).rejects.toThrow(RpcUnavailable);
    loyalty = await platform.start(definition);
    await loyalty.backbone;
  });
});
