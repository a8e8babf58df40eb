// covers: createOrder, switchMenuItem, pauseStore

import { randomUUID } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ItemChange } from '../shop/rules/switches.ts';
import { pauseStore, switchMenuItem } from '../shop/transactions.ts';
import { basketOf, codeOf, customer } from '../testing/callers.ts';
import { type Loyalty, startLoyalty } from '../testing/loyalty.ts';
import { ordersOf, takenOf, usedOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { commitWhenAwaited, switches } from '../testing/switching.ts';
import { holdsOf, miscounted, slotIn } from '../testing/whole-store.ts';

let running: Running;
let loyalty: Loyalty;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  loyalty = await startLoyalty(running);
});
beforeEach(async () => {
  store = await running.openStore();
});
afterAll(async () => {
  await loyalty[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

const by = { id: randomUUID(), name: 'Ada' };
const switching = (itemId: string, change: ItemChange) => (tx: Transaction) =>
  switchMenuItem(tx, { storeId: store.id, itemId, change, by });
const order = (id: string, quantity = 1, more = {}) =>
  customer(running).create(store, { items: [{ menu_item_id: id, quantity }], ...more });
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof order>>) => [status, body.error?.code, body.error?.message];

describe('a switch that commits while an order is placed', () => {
  test.each([
    ['an item that is not counted', 'croissant', 'Croissant'],
    ['an item whose stock is counted', 'last-cake', 'The last cake'],
  ])('marks %s as sold out: the order is refused and takes nothing', async (_, id, name) => {
    const response = await commitWhenAwaited(running, switching(id, { soldOut: 'until_changed' }), () => order(id));
    expect(refusalOf(response)).toEqual([409, 'OUT_OF_STOCK', `${name} is sold out.`]);
    expect([await ordersOf(running, store.id), await takenOf(running, store.id)]).toEqual([0, 0]);
  });

  test('pauses the store: the order is refused, and releases the voucher that it reserved', async () => {
    const voucher_id = randomUUID();
    loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
    const pause = (tx: Transaction) => pauseStore(tx, { storeId: store.id, paused: true, minutes: null, by });
    const response = await commitWhenAwaited(running, pause, () => order('croissant', 1, { voucher_id }));
    expect(refusalOf(response).slice(0, 2)).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
    expect([await ordersOf(running, store.id), loyalty.holderOf(voucher_id)]).toEqual([0, null]);
  });

  test('begins to count an item: the order counts too', async () => {
    const { body } = await commitWhenAwaited(running, switching('croissant', { left: 5 }), () => order('croissant', 2));
    expect([await holdsOf(running, body.order_id), await takenOf(running, store.id, 'croissant')]).toEqual([{ stock: 'held' }, 2]);
    expect(await switches(running, store).state('croissant')).toMatchObject({ left: 3 });
  });

  test('is about another item: the order is placed', async () => {
    const { status } = await commitWhenAwaited(running, switching('sweet', { soldOut: 'until_changed' }), () => order('croissant'));
    expect([status, await ordersOf(running, store.id)]).toEqual([200, 1]);
  });
});

describe('an order that is placed while a switch waits for it', () => {
  test('has its unit counted as taken by the number that staff set', async () => {
    const lockStore = (tx: Transaction) =>
      tx.one(sql.type(z.object({ id: z.string() }))`select id from store where id = ${store.id} for update`);
    const staff = switches(running, store);
    const both = async () => {
      const placing = order('last-cake');
      return await Promise.all([placing, staff.item('last-cake', { left: 4 })]);
    };
    const [placed, switched] = await commitWhenAwaited(running, lockStore, both);
    expect([placed.status, switched.status]).toEqual([200, 200]);
    const left = (await staff.state('last-cake')).left;
    // Either order is valid: staff counted before or after the order took its unit.
    expect([3, 4]).toContain(left);
    expect(await miscounted(running)).toEqual([]);
  });
});

describe('the last unit', () => {
  test('that is gone once the order gets its lock is refused by name, and the place in the slot and the voucher are free', async () => {
    const slot = slotIn(running, 60, 1);
    store = await running.openStore({}, menu, [slot]);
    const voucher_id = randomUUID();
    loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
    const none = switching('last-cake', { left: 0 });
    const response = await commitWhenAwaited(running, none, () => order('last-cake', 1, { voucher_id, slot_id: slot.id }));
    expect(refusalOf(response)).toEqual([409, 'OUT_OF_STOCK', 'The last cake is sold out, or fewer are left than were ordered.']);
    expect([loyalty.holderOf(voucher_id), await usedOf(running, slot.id), await ordersOf(running, store.id)]).toEqual([null, 0, 0]);
  });

  test.each([3, 1])('of %i that staff say are left is sold once: ten orders at once', async (left) => {
    const staff = switches(running, store);
    await staff.item('last-cake', { left });
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => order('last-cake')))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(left).fill(200), ...Array(10 - left).fill(409)]);
    expect(await staff.state('last-cake')).toMatchObject({ left: 0, sold_out: true });
  });
});

test('an order that gave back what it held does not take an item again that staff marked as sold out meanwhile', async () => {
  const ana = customer(running);
  const request = basketOf(store, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
  running.payments.controls.failNext({ how: 'error_before', path: '/v1/payment_intents', times: 3, method: 'POST' });
  expect(codeOf(await ana.call('POST', '/api/v1/orders', request))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  const staff = switches(running, store);
  await staff.item('last-cake', { sold_out: 'until_changed' });
  const again = await ana.call('POST', '/api/v1/orders', request);
  expect(refusalOf(again)).toEqual([409, 'OUT_OF_STOCK', 'The last cake is sold out, or fewer are left than were ordered.']);
  await staff.item('last-cake', { sold_out: 'no' });
  expect((await ana.call('POST', '/api/v1/orders', request)).status).toBe(200);
});

test('orders and switches of the same items at once all succeed or are refused, and every count matches its holds', async () => {
  const staff = switches(running, store);
  const ordered = Array.from({ length: 20 }, (_, n) => order(n % 2 ? 'last-cake' : 'croissant'));
  const switched = Array.from({ length: 10 }, (_, n) => [
    staff.item(n % 2 ? 'last-cake' : 'croissant', n % 3 ? { left: 10 } : { sold_out: n % 4 ? 'no' : 'until_changed' }),
    staff.pause({ paused: n % 2 === 0 }),
  ]);
  const responses = await Promise.all([...ordered, ...switched.flat()]);
  expect(responses.filter(({ status }) => ![200, 409].includes(status)).map(({ body }) => body)).toEqual([]);
  expect(await miscounted(running)).toEqual([]);
});
