// covers: createOrder

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders, reconcilePayments } from '../confirmation/jobs.ts';
import { type ApiResponse, basketOf, codeOf, customer, pay } from '../testing/callers.ts';
import { eventsOf, logOf, takenOf, usedOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;
let slot: { id: string; starts_at: string; ends_at: string; capacity: number };

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  slot = { id: randomUUID(), starts_at: at(2), ends_at: at(3), capacity: 120 };
  const counted = ['bun', 'roll', 'tart'].map((id) => ({ id, name: id, price_pence: 100, stock: 1_000 }));
  store = await running.openStore({}, [...menu, ...counted], [slot]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const bun = { items: [{ menu_item_id: 'bun', quantity: 1 }] };
const lunch = { order_type: 'collect', collection_mode: 'scheduled', ...bun };
/** Runs work `count` times, ten at once: all orders of a store wait for one row, and speed is not tested here. */
async function times<T>(count: number, one: (n: number) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const from = done.length;
    done.push(...(await Promise.all(Array.from({ length: Math.min(10, count - from) }, (_, n) => one(from + n)))));
  }
  return done;
}

const Open = z.object({ id: z.string(), payment_status: z.string(), has_address: z.boolean() });
const ordersOf = (customerId: string) =>
  running.service.database.any(sql.type(Open)`
    select id, payment_status, address_hash is not null as has_address from orders
    where customer_id = ${customerId} and store_id = ${store.id} and parent_order_id is null order by created_at, id`);
const unpaidOf = async (customerId: string) =>
  (await ordersOf(customerId)).filter(({ payment_status }) => ['pending_payment', 'payment_failed'].includes(payment_status));

const from = (address: string, request: Record<string, unknown> = bun, ada = customer(running)): Promise<ApiResponse> =>
  ada.call('POST', '/api/v1/orders', basketOf(store, request), { 'x-forwarded-for': address });

describe('the unpaid orders of a customer at a store', () => {
  test('are ten at most: each further one ends the oldest, releases what it held and publishes that it expired', async () => {
    const ada = customer(running);
    const placed: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const { status, body } = await ada.create(store, { ...lunch, slot_id: slot.id });
      expect(status).toBe(200);
      placed.push(body.order_id);
    }
    expect((await unpaidOf(ada.sub)).map(({ id }) => id)).toEqual(placed.slice(4));
    expect([await takenOf(running, store.id, 'bun'), await usedOf(running, slot.id)]).toEqual([10, 10]);
    expect(await eventsOf(running, placed[0] as string)).toMatchObject([{ type: 'order.expired', data: { was_paid: false } }]);
    expect(await logOf(running, placed[3] as string)).toEqual(['placed', 'expired']);
    expect((await customer(running).create(store, bun)).status).toBe(200);
    expect((await ada.create(await running.openStore())).status).toBe(200);
    expect(await unpaidOf(ada.sub)).toHaveLength(10);
  });

  test('are ten at most also when they are placed at once', async () => {
    const ada = customer(running);
    const responses = await times(16, () => ada.create(store, bun));
    expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect(await unpaidOf(ada.sub)).toHaveLength(10);
    expect(await takenOf(running, store.id, 'bun')).toBe(10);
  });

  test('are replaced without a deadlock with orders for the same goods in another order', async () => {
    const goods = ['bun', 'roll', 'tart'];
    const basket = (n: number) => ({ items: [0, 1].map((m) => ({ menu_item_id: goods[(n + m) % 3], quantity: 1 })), slot_id: slot.id });
    const guests = Array.from({ length: 4 }, () => customer(running));
    for (const guest of guests) await times(10, (n) => guest.create(store, basket(n)));
    const responses = await times(32, (n) => (guests[n % 8] ?? customer(running)).create(store, basket(n)));
    expect(responses.map(codeOf)).toEqual(Array(32).fill([200, undefined]));
    for (const guest of guests) expect(await unpaidOf(guest.sub)).toHaveLength(10);
  });

  test('take their legs with them', async () => {
    const ada = customer(running);
    const groups = [
      { role: 'now', items: [{ menu_item_id: 'roll', quantity: 1 }] },
      { role: 'collect', items: [{ menu_item_id: 'tart', quantity: 1 }], slot_id: slot.id },
    ];
    await ada.create(store, { items: [], fulfilment_groups: groups });
    for (let n = 0; n < 10; n += 1) await ada.create(store, bun);
    expect([await takenOf(running, store.id, 'tart'), await usedOf(running, slot.id)]).toEqual([0, 0]);
  });

  test('that the customer tried to pay are not ended; when all were tried, a further one is refused until the first ends', async () => {
    const ada = customer(running);
    const [tried] = await times(10, () => ada.create(store, bun));
    await ada.payAndConfirm(store, tried?.body, 'pm_card_chargeDeclined');
    await ada.create(store, bun);
    const unpaid = await unpaidOf(ada.sub);
    expect(unpaid.find(({ id }) => id === tried?.body.order_id)?.payment_status).toBe('payment_failed');
    await running.service.database.query(sql.unsafe`update orders set payment_attempted_at = now() where customer_id = ${ada.sub}`);
    const refused = await ada.create(store, bun);
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('480');
    expect(await takenOf(running, store.id, 'bun')).toBe(10);
    running.clock.advance({ minutes: 8 });
    expect((await ada.create(store, bun)).status).toBe(200);
  });

  test('that were replaced have their intents cancelled, and a payment before that is a late one', async () => {
    const ada = customer(running);
    const orders = [];
    for (let n = 0; n < 12; n += 1) orders.push((await ada.create(store, bun)).body);
    const [paidAnyway, left] = orders;
    expect((await ada.payAndConfirm(store, paidAnyway)).body.status).toBe('paid');
    running.clock.advance({ minutes: 1 });
    await reconcilePayments(running.service.context);
    const statusOf = (id: string) => running.payments.books().intents.find((intent) => intent.id === id)?.status;
    expect([statusOf(left.payment_intent_id), statusOf(orders[5].payment_intent_id)]).toEqual(['canceled', 'requires_payment_method']);
    expect(await unpaidOf(ada.sub)).toHaveLength(10);
  });
});

describe('the unpaid orders of a device at a store', () => {
  test('are ten at most: those of the same customer are replaced, and for another customer the answer says when the first ends', async () => {
    const device = { ...bun, device_fingerprint: randomUUID() };
    const [ada, bo] = [customer(running), customer(running)];
    for (let n = 0; n < 5; n += 1) await ada.create(store, device);
    running.clock.advance({ minutes: 1 });
    for (let n = 0; n < 5; n += 1) await bo.create(store, device);
    const refused = await customer(running).create(store, device);
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('420');
    expect((await ada.create(store, device)).status).toBe(200);
    expect([(await unpaidOf(ada.sub)).length, (await unpaidOf(bo.sub)).length]).toEqual([5, 5]);
    expect((await customer(running).create(store, { ...device, device_fingerprint: 'another' })).status).toBe(200);
    expect((await customer(running).create(store, bun)).status).toBe(200);
  });
});

describe('the unpaid orders of an address at a store', () => {
  const wifi = '203.0.113.7';

  test('a lunch of 200 phones behind one address orders and pays, and none is refused', async () => {
    const phones = Array.from({ length: 200 }, () => customer(running));
    for (const part of [phones.slice(0, 100), phones.slice(100)]) {
      const orders = await times(part.length, (n) => from(wifi, { ...lunch, slot_id: null, collection_mode: 'now' }, part[n]));
      expect(orders.map(codeOf)).toEqual(Array(100).fill([200, undefined]));
      const paying = orders.slice(0, 80);
      await times(paying.length, (n) => pay(running, paying[n]?.body.payment_intent_id));
      const confirmed = await times(
        paying.length,
        (n) => part[n]?.confirm(store, paying[n]?.body.payment_intent_id) as Promise<ApiResponse>,
      );
      expect(new Set(confirmed.map(({ body }) => body.status))).toEqual(new Set(['paid']));
    }
    expect(await takenOf(running, store.id, 'bun')).toBe(200);
    const [paid] = await ordersOf(phones[0]?.sub ?? '');
    expect(paid).toMatchObject({ payment_status: 'paid', has_address: false });
    expect((await times(160, () => from(wifi))).map(codeOf)).toEqual(Array(160).fill([200, undefined]));
    const refused = await from(wifi);
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBe(480);
    const line = running.lines.find(({ limit }) => limit === 'address');
    expect(line).toMatchObject({ store_id: store.id, address_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(running.lines)).not.toContain(wifi);
    expect((await from('203.0.113.8')).status).toBe(200);
    running.clock.advance({ minutes: 9 });
    await expireUnpaidOrders(running.service.context);
    expect((await from(wifi)).status).toBe(200);
  });

  test('an address is kept as a hash of its subscriber while its order is unpaid, and dropped when it ends', async () => {
    const [ada, bo] = [customer(running), customer(running)];
    await from('2001:db8::1', bun, ada);
    await from('2001:db8::2', bun, bo);
    const Hash = z.object({ hash: z.string() });
    const hashes = await running.service.database.anyFirst(sql.type(Hash)`
      select distinct encode(address_hash, 'hex') as hash from orders where store_id = ${store.id}`);
    expect(hashes).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    running.clock.advance({ minutes: 9 });
    await expireUnpaidOrders(running.service.context);
    expect(await ordersOf(ada.sub)).toMatchObject([{ payment_status: 'expired', has_address: false }]);
  });
});

describe('an unpaid order', () => {
  const statusOf = async (customerId: string) => (await ordersOf(customerId)).map(({ payment_status }) => payment_status);
  async function after(minutes: number) {
    running.clock.advance({ minutes });
    await reconcilePayments(running.service.context);
    await expireUnpaidOrders(running.service.context);
  }

  test('that no one tried to pay keeps its holds for eight minutes', async () => {
    const ada = customer(running);
    await ada.create(store, bun);
    await after(7.9);
    expect(await statusOf(ada.sub)).toEqual(['pending_payment']);
    await after(0.2);
    expect(await statusOf(ada.sub)).toEqual(['expired']);
  });

  test.each([
    ['pm_card_chargeDeclined', 'payment_failed'],
    ['pm_card_authenticationRequired', 'pending_payment'],
  ])('that was tried with %s keeps its holds for fifteen minutes, even when no event says so', async (card, status) => {
    const ada = customer(running);
    const { body } = await ada.create(store, bun);
    await pay(running, body.payment_intent_id, card);
    await after(5);
    await after(5);
    await after(4.9);
    expect(await statusOf(ada.sub)).toEqual([status]);
    await after(0.2);
    expect(await statusOf(ada.sub)).toEqual(['expired']);
  });
});
