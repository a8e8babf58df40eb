import { defineEvent } from '@corner/contracts';
import { emptyDatabase, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { on } from './inbox/event-handler.ts';
import { publish } from './outbox/outbox.ts';
import type { RunningService } from './service.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { differencesOf, type Published } from './shadow-differences.ts';
import { thingChanged } from './testing/contracts.ts';
import { newThing, type Platform, preparePlatform, storeId } from './testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from './testing/services.ts';

const thingNoted = defineEvent({
  type: 'thing.noted',
  producers: ['loyalty'],
  version: 1,
  summary: 'A change of a thing was noted.',
  data: z.object({ note_id: z.guid(), thing_id: z.guid(), version: z.int() }),
});

const noting = (odd = ''): ServiceDefinition<Database> => ({
  ...consumer(),
  eventHandlers: {
    noteWhenThingChanged: on(thingChanged, async ({ data }, tx) => {
      for (let nth = 0; nth < (data.thing_id === odd ? 2 : 1); nth += 1)
        await publish(tx, thingNoted, {
          aggregateId: data.thing_id,
          sequence: 10 * data.version + nth,
          storeId,
          data: { note_id: tx.newId(), thing_id: data.thing_id, version: data.version },
        });
    }),
  },
});

let platform: Platform;
let orders: RunningService<ProducerContext>;
let loyalty: RunningService<Database>;
const things = Array.from({ length: 10 }, () => newThing());
const [odd = ''] = things;
beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer());
  loyalty = await platform.start(noting());
  const { relay } = await loyalty.backbone;
  for (const thing of things) await orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await until(() => relay.state.published === things.length, { describe: 'the notes of the service that runs' });
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await loyalty[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

async function migratedDatabase() {
  const own = await emptyDatabase();
  const directory = `${import.meta.dirname}/testing/migrations/loyalty`;
  await migrate({ service: 'loyalty', adminUrl: own.adminUrl, roleUrl: own.roleUrl('loyalty'), directory });
  return own;
}

async function shadowOf(definition: ServiceDefinition<Database>) {
  await using own = await migratedDatabase();
  const DATABASE_URL = own.roleUrl('loyalty');
  const { broker } = await loyalty.backbone;
  const storedBefore = (await broker.lookAtStream('loyalty')).lastSequence;
  const from = platform.lines.length;
  const now = () => new Date(Date.now() + 86_400_000);
  await using shadow = await platform.start(definition, { now }, { SHADOW: '1', DATABASE_URL });
  const code = await shadow.ended;
  const Count = z.object({ count: z.number() });
  return {
    code,
    lines: platform.lines.slice(from).filter(({ msg }) => /^the shadow/.test(String(msg))),
    processed: await shadow.database.oneFirst(sql.type(Count)`select count(*) from inbox`),
    published: (await broker.lookAtStream('loyalty')).lastSequence - storedBefore,
  };
}

test('a version that does the same shows nothing, has processed all that its producers keep, and has sent nothing', async () => {
  const { code, lines, processed, published } = await shadowOf(noting());
  expect({ code, processed, published }).toEqual({ code: 0, processed: things.length, published: 0 });
  expect(lines).toMatchObject([{ msg: 'the shadow published the same about every event', events: things.length }]);
});

test('a version that publishes twice about one thing is named by the event, with what both published', async () => {
  const { code, lines, published } = await shadowOf(noting(odd));
  expect({ code, published }).toEqual({ code: 1, published: 0 });
  const note = { type: 'thing.noted', subject: odd, storeid: storeId, customerid: null, data: expect.objectContaining({ thing_id: odd }) };
  expect(lines).toMatchObject([
    { msg: 'the shadow differs', event: { type: 'thing.changed', subject: odd }, real: [note], shadow: [note, note] },
    { msg: 'the shadow differs from the service that runs', events: things.length, differences: 1 },
  ]);
});

test('is refused on the database of a service that runs, before it reads an event', async () => {
  const start = platform.start(noting(odd), {}, { SHADOW: '1' });
  await expect(start.then((shadow) => shadow[Symbol.asyncDispose]())).rejects.toThrow('names a database that a service runs on');
});

test('a producer that has never published keeps no shadow waiting, and what it waits for is logged', async () => {
  await using quiet = await preparePlatform();
  await using _running = await quiet.start(noting());
  await using own = await migratedDatabase();
  await using shadow = await quiet.start(noting(), {}, { SHADOW: '1', DATABASE_URL: own.roleUrl('loyalty') });
  const said = () => quiet.lines.find(({ msg }) => msg === 'waiting until the events of these producers are processed');
  await until(() => said() !== undefined, { describe: 'the line that says what the shadow waits for' });
  expect(said()).toMatchObject({ waiting: [{ producer: 'orders', complete_up_to: null, last: null, missing: 0 }] });
  await using _producer = await quiet.start(producer());
  expect(await shadow.ended).toBe(0);
});

test('the service that runs answers all requests while a shadow does not', async () => {
  await using own = await migratedDatabase();
  const DATABASE_URL = own.roleUrl('loyalty');
  const { broker } = await loyalty.backbone;
  await using shadow = await platform.start(noting(), {}, { SHADOW: '1', DATABASE_URL });
  // The gateway sends no request to it.
  expect((await fetch(`${shadow.url}/readyz`)).status).toBe(503);
  const silenced = (await shadow.backbone).broker;
  await expect(silenced.publish(broker.subject(`loyalty.thing.noted.v1.${storeId}`), '{}', { msgID: 'x' })).rejects.toThrow(
    'publishes nothing',
  );
  await expect(silenced.request(broker.subject('rpc.orders.anything'), '{}', { timeout: 100 })).rejects.toThrow('calls no one');
  const received: string[] = [];
  silenced.subscribe(broker.subject('rpc.loyalty.>'), { callback: () => received.push('a request') });
  await broker.request(broker.subject('rpc.loyalty.loyalty.double'), '{"number":2}', { timeout: 2_000 }).catch(() => {});
  expect(received).toEqual([]);
});

test('what a run draws is no difference, what both have must be the same', () => {
  const about = (data: object): Published => ({ type: 'thing.noted', subject: 'a', storeid: null, customerid: null, data });
  const [first, second] = [newThing(), newThing()];
  expect(differencesOf([about({ id: first, at: '2026-05-01T12:00:00Z' })], [about({ at: '2026-05-02T12:00:00.123Z', id: second })])).toBe(
    false,
  );
  expect(differencesOf([about({ id: first, of: second })], [about({ id: second, of: first })])).toBe(true);
  expect(differencesOf([about({ count: 1 })], [about({ count: 2 })])).toBe(true);
  expect(differencesOf([about({ id: first })], [])).toBe(true);
});
