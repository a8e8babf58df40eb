import { randomUUID } from 'node:crypto';
import { dataSchemaOf, defineEvent, type Envelope, type EventContract } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase, type Transaction } from '../database/database.ts';
import { createLog, currentLogFields } from '../telemetry/log.ts';
import { currentTraceparent, startTelemetry } from '../telemetry/telemetry.ts';
import { thingChanged } from '../testing/contracts.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, producer } from '../testing/services.ts';
import { type EventTask, on, onAll } from './event-handler.ts';
import { consume } from './inbox.ts';

const none = z.object({});
const thingSold = defineEvent({ ...thingChanged, type: 'thing.sold' });
const thingLost = defineEvent({ ...thingChanged, type: 'thing.lost' });

type Change = z.output<typeof thingChanged.data>;

let calls: [string, string[]][] = [];
let causes: unknown[] = [];
let unlucky = '';
const named = ({ thing_id, version }: Change) => `${thing_id} ${version}`;

async function recordAll(tasks: readonly EventTask<Change>[], tx: Transaction): Promise<void> {
  calls.push(['several', tasks.map(({ task }) => named(task))]);
  const changes = tasks.map(({ task }) => task);
  causes = tasks.map(({ within }) => within(() => [currentLogFields().event_id, currentTraceparent()?.split('-')[1]]));
  if (changes.some(({ thing_id }) => thing_id === unlucky)) throw new Error('an unlucky thing');
  await tx.query(sql.type(none)`
    insert into effect (thing_id, version)
    select thing_id, version from jsonb_to_recordset(${sql.jsonb(changes)}) as c (thing_id uuid, version bigint)`);
}

const eventHandlers = {
  recordWhenChanged: onAll(thingChanged, ({ data }) => data, recordAll),
  recordWhenSold: onAll(thingSold, ({ data }) => data, recordAll),
  noteWhenLost: on(thingLost, async ({ data }) => void calls.push(['one', [named(data)]])),
};

let platform: Platform;
let database: Database;
const statements: string[] = [];
const log = createLog('loyalty', 'silent');
const telemetry = startTelemetry({ service: 'loyalty' });

beforeAll(async () => {
  platform = await preparePlatform();
  database = await openDatabase({ url: platform.database.roleUrl('loyalty'), watch: (text) => statements.push(text) });
  lease = await database.oneFirst(sql.type(z.object({ token: z.string() }))`select token from consumer_lease`);
});
beforeEach(() => {
  calls = [];
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
  await telemetry.stop();
});

const arrived = (event: EventContract, thingId: string, version: number, more: Partial<Envelope> = {}) => {
  const data = { thing_id: thingId, version };
  const envelope: Envelope = {
    specversion: '1.0',
    id: randomUUID(),
    source: '/orders',
    type: event.type,
    dataschema: dataSchemaOf(event),
    subject: thingId,
    time: '2026-05-01T11:00:00.000000Z',
    datacontenttype: 'application/json',
    sequence: version,
    data,
    ...more,
  };
  return { envelope, redelivered: false };
};

type Arrived = ReturnType<typeof arrived>;

let lease = '';
const process = (batch: readonly Arrived[]) => consume({ database, eventHandlers, context: database, log, lease }, batch);

test('a batch takes two statements, however many events it has', async () => {
  for (const count of [1, 10]) {
    statements.length = 0;
    await process(Array.from({ length: count }, () => arrived(thingChanged, newThing(), 1)));
    expect(statements.map((text) => /insert into (\w+)/.exec(text)?.[1])).toEqual(['inbox', 'effect']);
  }
});

test('a handler gets the events that are new, once each', async () => {
  const [first, second, third] = [newThing(), newThing(), newThing()].map((thing) => arrived(thingChanged, thing, 1)) as [
    Arrived,
    Arrived,
    Arrived,
  ];
  await process([first, second]);
  await process([first, third, second, third]);
  expect(calls.map(([, things]) => things.length)).toEqual([2, 1]);
});

test('an event of a type that its producer does not publish by the contracts is not processed', async () => {
  const foreign = arrived(thingChanged, newThing(), 1, { source: '/queue' });
  await expect(process([foreign])).rejects.toThrow('/queue does not publish');
  expect(calls).toEqual([]);
});

test('handlers with the same `run` share its call, and the events of one aggregate keep their order', async () => {
  const [a, b, c] = [newThing(), newThing(), newThing()] as const;
  await process([
    arrived(thingChanged, a, 1),
    arrived(thingSold, b, 1),
    arrived(thingLost, a, 2),
    arrived(thingChanged, b, 2),
    arrived(thingSold, a, 3),
    arrived(thingChanged, c, 1),
  ]);
  expect(calls).toEqual([
    ['several', [`${a} 1`, `${b} 1`, `${b} 2`]],
    ['one', [`${a} 2`]],
    ['several', [`${a} 3`, `${c} 1`]],
  ]);
});

test('what a handler does within a task is in the trace of its event and names it as the cause', async () => {
  const traces = ['1', '2'].map((digit) => digit.repeat(32));
  const batch = traces.map((trace) => arrived(thingChanged, newThing(), 1, { traceparent: `00-${trace}-${'3'.repeat(16)}-01` }));
  await process(batch);
  expect(causes).toEqual(batch.map(({ envelope }, index) => [envelope.id, traces[index]]));
});

test('an event that cannot be processed becomes a dead letter, and the other events of its batch have their effects once', async () => {
  await using orders = await platform.start(producer());
  await orders.backbone;
  const things = Array.from({ length: 20 }, newThing);
  unlucky = things[7] ?? '';
  await orders.database.transaction(async (tx) => {
    for (const thing of things) await changeAndPublish(tx, thing, storeId);
  });
  await using _ = await platform.start({ ...consumer(), eventHandlers });
  const read = async (thing: string) => ({ effects: await effectsOf(database, thing), dead: await isDead(thing) });
  const right = things.map((thing) => (thing === unlucky ? { effects: [], dead: true } : { effects: [1], dead: false }));
  await until(async () => JSON.stringify(await Promise.all(things.map(read))) === JSON.stringify(right), {
    describe: `one dead letter and ${things.length - 1} effects`,
  });
  expect(Math.max(...calls.map(([, tasks]) => tasks.length))).toBeGreaterThan(1);
});

const isDead = (thing: string): Promise<boolean> =>
  database.exists(sql.type(none)`select 1 from dead_letter where payload like ${`%${thing}%`} and error like '%unlucky%'`);
