import { randomUUID } from 'node:crypto';
import { explain, showDeadLetter } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { publish } from '../outbox/outbox.ts';
import { createCall } from '../rpc/call.ts';
import type { RunningService } from '../service.ts';
import { thingChanged } from '../testing/contracts.ts';
import { type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

/** All reads of a test are in one hour, whatever the clock says. */
const now = new Date('2026-05-01T11:59:00.000Z');

let platform: Platform;
let orders: RunningService<ProducerContext>;
let call: ReturnType<typeof createCall>;
let customerId: string;

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer(), { now: () => now });
  const { broker } = await orders.backbone;
  call = createCall(() => broker);
});
beforeEach(() => {
  customerId = randomUUID();
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const Row = z.object({ data: z.any(), named: z.boolean() });
const reads = () =>
  orders.database.any(sql.type(Row)`
    select data, store_id is not null or customer_id is not null as named
    from outbox where type = 'customer_data.read' and data -> 'customer_ids' ? ${customerId} order by id`);
const readOf = (by: string, what: string, store: string | null = storeId) => ({
  data: { by: { kind: 'operator', id: by }, store_id: store, customer_ids: [customerId], what, at: now.toISOString() },
  named: false,
});

async function deadLetterOf(payload: string): Promise<string> {
  const id = randomUUID();
  await orders.database.query(sql.type(z.object({}))`
    insert into dead_letter (event_id, type, subject, payload, error, attempts) values (${id}, 'thing.changed', 'x', ${payload}, 'Error: x', 5)`);
  return id;
}
const envelope = (named: { storeId?: string; customerId?: string }) =>
  JSON.stringify(envelopeOf(thingChanged, { thing_id: randomUUID(), version: 1 }, { aggregateId: randomUUID(), ...named }));
const show = (event_id: string, by: string, payload = false) => call(showDeadLetter('orders'), { event_id, by, payload });

test('an operator who opens a dead letter of a customer is on record once an hour, and again when they read its payload', async () => {
  const id = await deadLetterOf(envelope({ storeId, customerId }));
  for (const by of ['olu', 'olu', 'pia']) expect((await show(id, by)).dead_letter).toMatchObject({ payload: null });
  expect((await show(id, 'olu', true)).dead_letter?.payload).toContain(customerId);
  expect(await reads()).toEqual([readOf('olu', 'dead_letter'), readOf('pia', 'dead_letter'), readOf('olu', 'payload')]);
});

test.each([
  ['an event without a store', () => envelope({ customerId }), null],
  ['no whole envelope', () => JSON.stringify({ customerid: customerId, storeid: storeId }), storeId],
  ['data without an envelope', () => JSON.stringify({ data: { customer_id: customerId, store_id: storeId } }), storeId],
])('the customer of %s is found', async (_, payload, store) => {
  await show(await deadLetterOf(payload()), 'olu', true);
  expect(await reads()).toEqual([readOf('olu', 'payload', store)]);
});

test('a dead letter that names no customer is shown and is no read', async () => {
  const before = await orders.database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from outbox`);
  for (const payload of [envelope({ storeId }), 'no JSON', '{"customerid":"someone"}'])
    expect((await show(await deadLetterOf(payload), 'olu', true)).dead_letter?.payload).toBe(payload);
  expect(await orders.database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from outbox`)).toBe(before);
});

test('a story records the customers of its facts, each once; one that cannot be recorded is not answered', async () => {
  const thing = randomUUID();
  const event = { aggregateId: thing, storeId, customerId, data: { thing_id: thing, version: 1 } };
  for (const sequence of [1, 2]) await orders.database.transaction((tx) => publish(tx, thingChanged, { ...event, sequence }));
  const story = (by: string) => call(explain('orders'), { ids: [thing], by });
  for (const by of ['olu', 'olu']) expect((await story(by)).facts).toHaveLength(2);
  expect(JSON.stringify(await story('olu'))).not.toContain(customerId);
  expect(await reads()).toEqual([readOf('olu', 'story')]);

  const id = await deadLetterOf(envelope({ storeId, customerId }));
  await asSuperuser(`alter table orders.outbox add constraint no_reads check (type <> 'customer_data.read') not valid`);
  try {
    await expect(story('pia')).rejects.toThrow('no reply');
    await expect(show(id, 'pia', true)).rejects.toThrow('no reply');
  } finally {
    await asSuperuser('alter table orders.outbox drop constraint no_reads');
  }
  expect(await reads()).toHaveLength(1);
});

async function asSuperuser(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
