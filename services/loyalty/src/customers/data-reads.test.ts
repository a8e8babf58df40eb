// covers: findCustomers, customerState
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { bo, cy, openShop, type Shop, staffOf } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const find = async (q: string, at = shop) =>
  await at.get(`customers?${new URLSearchParams({ store_id: at.storeId, q })}`, await staffOf(running, at.storeId));

async function customerAt(at: Shop, name: string): Promise<string> {
  const id = randomUUID();
  await running.consume(customerOf(id, { name }));
  await at.pay(id);
  return id;
}

const Row = z.object({ data: z.any(), named: z.boolean(), request: z.string().nullable() });
const published = async (at = shop) =>
  await running.service.database.any(sql.type(Row)`
    select data, store_id is not null or customer_id is not null as named, correlation_id as request
    from outbox where type = 'customer_data.read' and data ->> 'store_id' = ${at.storeId} order by id`);

test('a look-up publishes whom it found and who looked, in the request; one that found no one publishes nothing', async () => {
  const ids = [await customerAt(shop, 'Reed One'), await customerAt(shop, 'Reed Two')];
  await find('reed');
  await find('missing');
  const rows = await published();
  expect(rows).toEqual([{ data: expect.anything(), named: false, request: expect.any(String) }]);
  const { customer_ids, ...data } = (rows[0] as z.output<typeof Row>).data;
  expect(data).toEqual({ by: { kind: 'staff', id: cy.id }, store_id: shop.storeId, what: 'look_up', at: expect.any(String) });
  expect([...customer_ids].sort()).toEqual(ids.sort());
  expect(JSON.stringify(rows)).not.toMatch(/reed/i);
});

test('each opening of a card publishes who opened it, also that of a customer who is not known here', async () => {
  const at = await openShop(running);
  const [known, unknown] = [await customerAt(at, 'Kay'), randomUUID()];
  const manager = await staffOf(running, at.storeId, bo, 'manager');
  for (const id of [known, unknown, known]) expect((await at.state(id, manager)).status).toBe(200);
  const by = { kind: 'staff', id: bo.id };
  const read = { by, store_id: at.storeId, what: 'card', at: expect.any(String) };
  expect((await published(at)).map(({ data }) => data)).toEqual([known, unknown, known].map((id) => ({ ...read, customer_ids: [id] })));
});

test('a read that cannot be recorded is not answered; one of an unknown store records nothing', async () => {
  const at = await openShop(running);
  const id = await customerAt(at, 'Una');
  await running.asSuperuser(`alter table outbox add constraint no_reads check (type <> 'customer_data.read') not valid`);
  try {
    for (const reply of [await find('una', at), await at.state(id)]) expect([reply.status, reply.body.customers]).toEqual([500, undefined]);
    expect((await find('missing', at)).status).toBe(200);
  } finally {
    await running.asSuperuser('alter table outbox drop constraint no_reads');
  }
  const nowhere = { ...shop, storeId: randomUUID() };
  expect((await find('reed', nowhere)).status).toBe(404);
  expect([await published(at), await published(nowhere)]).toEqual([[], []]);
});
