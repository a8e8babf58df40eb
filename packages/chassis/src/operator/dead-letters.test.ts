import * as operator from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;
let call: ReturnType<typeof createCall>;

const trouble = new Map<string, () => void>();

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  loyalty = await platform.start(consumer(async ({ data }) => trouble.get(data.thing_id)?.()));
  const { broker } = await orders.backbone;
  call = createCall(() => broker);
  await loyalty.backbone;
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const [list, show, retry, discard] = [
  operator.listDeadLetters('loyalty'),
  operator.showDeadLetter('loyalty'),
  operator.retryDeadLetter('loyalty'),
  operator.discardDeadLetter('loyalty'),
];

async function deadThing(fault: () => void = () => undefined): Promise<{ readonly thing: string; readonly eventId: string }> {
  const thing = newThing();
  trouble.set(thing, () => {
    fault();
    throw new Error('broken invariant');
  });
  await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  const eventId = await orders.database.oneFirst(sql.type(z.object({ event_id: z.string() }))`
    select event_id from outbox where aggregate_id = ${thing}`);
  await until(async () => (await call(list, { event_id: eventId })).dead_letters.length === 1, {
    describe: 'a dead letter',
  });
  return { thing, eventId };
}

describe('an operator', () => {
  test('sees a dead letter without its payload, unless they request it', async () => {
    const { thing, eventId } = await deadThing();
    const { dead_letters: deadLetters } = await call(list, { type: 'thing.changed', event_id: eventId });
    expect(deadLetters).toMatchObject([{ event_id: eventId, type: 'thing.changed', aggregate_id: thing, attempts: 5, settled_at: null }]);
    const { dead_letter: deadLetter } = await call(show, { event_id: eventId, by: 'cy' });
    expect(deadLetter).toMatchObject({
      payload: null,
      data_fields: expect.arrayContaining(['thing_id', 'version']),
      envelope: { id: eventId, sequence: 1 },
    });
    expect(JSON.stringify(deadLetter?.envelope)).not.toContain('"data"');
    expect((await call(show, { event_id: eventId, payload: true, by: 'cy' })).dead_letter?.payload).toContain(thing);
    expect(platform.lines).toContainEqual(
      expect.objectContaining({ by: 'cy', event_id: eventId, msg: expect.stringContaining('was shown') }),
    );
  });

  test('retries a dead letter that fails again: it counts the attempt, names the new error, and has no effects', async () => {
    const { thing, eventId } = await deadThing();
    trouble.set(thing, () => {
      throw new Error('broken otherwise');
    });
    expect(await call(retry, { event_id: eventId, by: 'cy' })).toEqual({ outcome: 'failed', detail: 'Error: broken otherwise' });
    expect((await call(list, { event_id: eventId })).dead_letters).toMatchObject([{ attempts: 6, error: 'Error: broken otherwise' }]);
    expect(await effectsOf(loyalty.database, thing)).toEqual([]);
  });

  test('retries a dead letter twice at once: it has its effect once, and names who retried it', async () => {
    const { thing, eventId } = await deadThing();
    trouble.delete(thing);
    const outcomes = await Promise.all(['cy', 'bo'].map((by) => call(retry, { event_id: eventId, by })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['not open', 'retried']);
    expect(outcomes.find(({ outcome }) => outcome === 'not open')?.detail).toMatch(/^retried by (cy|bo) at \d{4}-/);
    expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
    expect((await call(list, { event_id: eventId })).dead_letters).toEqual([]);
    expect((await call(list, { event_id: eventId, settled: true })).dead_letters).toMatchObject([{ settled_as: 'retried' }]);
  });

  test('gets UPSTREAM_UNAVAILABLE for a transient fault, which does not count as an attempt', async () => {
    const { thing, eventId } = await deadThing();
    trouble.set(thing, () => {
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    });
    await expect(call(retry, { event_id: eventId, by: 'cy' })).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect((await call(list, { event_id: eventId })).dead_letters).toMatchObject([{ attempts: 5, error: 'Error: broken invariant' }]);
  });

  test('discards a dead letter once, with a reason', async () => {
    const { thing, eventId } = await deadThing();
    expect(await call(discard, { event_id: eventId, by: 'cy', reason: 'test data' })).toEqual({ outcome: 'discarded', detail: null });
    expect(await call(discard, { event_id: eventId, by: 'bo', reason: 'again' })).toMatchObject({ outcome: 'not open' });
    trouble.delete(thing);
    expect(await call(retry, { event_id: eventId, by: 'bo' })).toMatchObject({ outcome: 'not open' });
    expect(await effectsOf(loyalty.database, thing)).toEqual([]);
    expect((await call(list, { event_id: eventId, settled: true })).dead_letters).toMatchObject([
      { settled_as: 'discarded', settled_by: 'cy', settled_reason: 'test data' },
    ]);
  });

  test('reads page after page, each dead letter once', async () => {
    const ids = Array.from({ length: 205 }, newThing);
    await loyalty.database.query(sql.type(z.object({}))`
      insert into dead_letter (event_id, type, subject, payload, error, attempts, dead_lettered_at)
      select id, 'many.things', 'x', '{}', 'Error: many', 1, now() from unnest(${sql.array(ids, 'uuid')}) id`);
    const seen: string[] = [];
    for (let after: { dead_lettered_at: string; event_id: string } | undefined, more = true; more; ) {
      const page = await call(list, { type: 'many.things', after });
      seen.push(...page.dead_letters.map(({ event_id }) => event_id));
      more = page.more;
      const last = page.dead_letters.at(-1);
      after = last && { dead_lettered_at: last.dead_lettered_at, event_id: last.event_id };
    }
    expect(seen.sort()).toEqual(ids.sort());
  });
});

test('an error that quotes what a caller sent is recorded without the quotation', async () => {
  const { eventId } = await deadThing(() => {
    throw Object.assign(new Error('invalid input syntax for type integer: "+44 7700 900123"'), { code: '22P02' });
  });
  expect((await call(list, { event_id: eventId })).dead_letters).toMatchObject([
    { error: 'Error: invalid input syntax for type integer: "…"' },
  ]);
});
