import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { publish } from '../outbox/outbox.ts';
import type { RunningService } from '../service.ts';
import { thingSeen } from '../testing/contracts.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId, untilPublished } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

const gatherMs = 300;
/** The numbers of a thing's other events are above those of its changes. */
const looksFrom = 1_000;
const anHour = 3_600_000;

let platform: Platform;
let admin: pg.Client;

beforeAll(async () => {
  platform = await preparePlatform();
  admin = new pg.Client({ connectionString: platform.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await platform[Symbol.asyncDispose]();
});

interface Pair extends AsyncDisposable {
  readonly orders: RunningService<ProducerContext>;
  readonly loyalty: RunningService<Database>;
}

async function startPair(gatherMs?: number): Promise<Pair> {
  const stack = new AsyncDisposableStack();
  const orders = stack.use(await platform.start(producer()));
  const loyalty = stack.use(await platform.start({ ...consumer(), ...(gatherMs ? { gatherMs } : {}) }));
  await Promise.all([orders.backbone, loyalty.backbone]);
  return { orders, loyalty, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const change = ({ orders }: Pair, thing: string) => orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
const effects = ({ loyalty }: Pair, thing: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thing)).length >= count, { describe: `${count} effects` });
const countOf = async (query: string, values: unknown[] = []): Promise<number> =>
  (await admin.query<{ count: number }>(`select count(*)::int as count from ${query}`, values)).rows[0]?.count ?? 0;

async function changeClosely(pair: Pair, thing: string, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < count; i += 1) await change(pair, thing);
  await effects(pair, thing, count);
  expect(await effectsOf(pair.loyalty.database, thing)).toEqual(upTo(count));
  return 1 + Math.ceil((performance.now() - startedAt) / gatherMs);
}

test('events that follow one another closely are processed in one transaction', async () => {
  await using pair = await startPair(gatherMs);
  const thing = newThing();
  const room = await changeClosely(pair, thing, 60);
  expect(await countOf('(select distinct xmin::text from loyalty.effect where thing_id = $1) t', [thing])).toBeLessThanOrEqual(room);
});

async function lookAndChange(pair: Pair, thing: string, looks: number): Promise<number> {
  const startedAt = performance.now();
  for (const sequence of upTo(looks))
    await pair.orders.database.transaction((tx) =>
      publish(tx, thingSeen, { aggregateId: thing, sequence: looksFrom + sequence, storeId, data: { thing_id: thing } }),
    );
  await change(pair, thing);
  await effects(pair, thing, 1);
  return performance.now() - startedAt;
}

test('events that no handler takes wait for one that a handler takes, which does not wait, and are recorded with it', async () => {
  await using pair = await startPair();
  const thing = newThing();
  const ms = await lookAndChange(pair, thing, 40);
  const recorded = `loyalty.inbox where type in ('thing.seen', 'thing.changed') and number > $1`;
  const { rows } = await admin.query<{ last: string }>('select max(number) - 41 as last from loyalty.inbox');
  expect(await countOf(recorded, [rows[0]?.last])).toBe(41);
  const batches = await countOf(`(select distinct xmin::text from ${recorded}) t`, [rows[0]?.last]);
  expect(batches).toBeLessThanOrEqual(1 + Math.ceil(ms / 250));
});

test('an event that comes alone does not wait, neither does a full batch, and the end of the process waits for nothing', async () => {
  const thing = newThing();
  {
    await using gathering = await startPair(anHour);
    await change(gathering, thing);
    await effects(gathering, thing, 1);
  }
  {
    await using orders = await platform.start(producer());
    await orders.backbone;
    for (let i = 0; i < 160; i += 1) await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
    await untilPublished(orders.database);
  }
  {
    // A batch takes 50 at most: fewer are left only after the second one, or the third.
    await using gathering = await startPair(anHour);
    await effects(gathering, thing, 1 + 111);
  }
  await using pair = await startPair();
  await effects(pair, thing, 161);
  expect(await effectsOf(pair.loyalty.database, thing)).toEqual(upTo(161));
});
