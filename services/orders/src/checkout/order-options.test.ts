// covers: createOrder

import { randomUUID } from 'node:crypto';
import { directoryMenu, readReceipt } from '@corner/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { saveMenu } from '../shop/transactions.ts';
import { customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { ordersOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { switches } from '../testing/switching.ts';
import { miscounted } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

const milk = {
  id: 'milk',
  name: 'Milk',
  min: 1,
  max: 1,
  choices: [
    { id: 'whole', name: 'Whole milk', allergens: ['milk' as const] },
    { id: 'oat', name: 'Oat milk', price_pence: 40, allergens: ['gluten' as const] },
    { id: 'soya', name: 'Soya milk', price_pence: 40, available: false },
  ],
};
const extras = {
  id: 'extras',
  name: 'Extras',
  max: 2,
  choices: [
    { id: 'shot', name: 'Extra shot', price_pence: 60 },
    { id: 'syrup', name: 'Syrup', price_pence: 50 },
    { id: 'cream', name: 'Cream', price_pence: 50, allergens: ['milk' as const] },
  ],
};
const items = [
  {
    id: 'latte',
    name: 'Latte',
    price_pence: 340,
    vat_rate_bps: 2000,
    category: 'Coffee',
    description: 'A double shot.',
    image_url: '/api/v1/directory/pictures/abc',
    options: [milk, extras],
  },
  { id: 'mocha', name: 'Mocha', price_pence: 380, options: [milk] },
  { id: 'bun', name: 'Bun', price_pence: 250, stock: 5, vat_rate_bps: 0, allergens: ['gluten' as const, 'eggs' as const] },
];

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, items);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const latte = (choices: readonly string[], more: Record<string, unknown> = {}) => ({
  menu_item_id: 'latte',
  quantity: 1,
  choices,
  ...more,
});
const create = (lines: readonly object[], more: Record<string, unknown> = {}, at = store) =>
  customer(running).create(at, { items: lines, ...more });
const menuOf = async (at = store) => (await customer(running).call('GET', `/api/v1/orders/stores/${at.id}/menu`)).body.items;
const staffOf = (at = store) => switches(running, at);

test('the menu has what customers choose, what is in it, and what the store has not said', async () => {
  const [first, , bun] = await menuOf();
  expect(first).toMatchObject({
    id: 'latte',
    category: 'Coffee',
    description: 'A double shot.',
    image_url: '/api/v1/directory/pictures/abc',
    allergens: null,
    sold_out: false,
  });
  expect(first.options.map(({ id, min, max }: { id: string; min: number; max: number }) => [id, min, max])).toEqual([
    ['milk', 1, 1],
    ['extras', 0, 2],
  ]);
  expect(first.options[0].choices).toEqual([
    { id: 'whole', name: 'Whole milk', price_pence: 0, allergens: ['milk'], sold_out: false },
    { id: 'oat', name: 'Oat milk', price_pence: 40, allergens: ['gluten'], sold_out: false },
  ]);
  expect([bun.allergens, bun.diet, bun.options]).toEqual([['gluten', 'eggs'], [], []]);
});

test('a line costs its item and its choices, and everyone who reads the order sees what was chosen and noted', async () => {
  const lines = [latte(['oat', 'shot'], { quantity: 2, note: ' extra hot ' }), latte(['whole']), latte(['whole'], { note: '' })];
  const placed = await paidOrder(running, store, { items: lines, order_type: 'collect' });
  const { order } = (await worker(running, store).get(placed.id)).body;
  expect(order.items).toMatchObject([
    {
      name: 'Latte',
      quantity: 2,
      unit_price_pence: 340 + 40 + 60,
      total_pence: 880,
      note: 'extra hot',
      choices: [
        { option: 'Milk', choice_id: 'oat', name: 'Oat milk', price_pence: 40 },
        { option: 'Extras', choice_id: 'shot', name: 'Extra shot', price_pence: 60 },
      ],
    },
    { quantity: 2, unit_price_pence: 340, note: null, choices: [{ name: 'Whole milk' }] },
  ]);
  const { output } = await running.call(readReceipt, { order_id: placed.id, store_id: store.id });
  expect(output?.lines.map(({ name, sum_pence }) => [name, sum_pence])).toEqual([
    ['Latte (Oat milk, Extra shot)', 880],
    ['Latte (Whole milk)', 680],
  ]);
  expect(output?.vat).toMatchObject([{ rate_bps: 2000, gross_pence: 1560 }]);
});

test.each([
  [422, 'CHOICES_INVALID', [], 'items: Latte takes 1 of Milk, and choices has 0.'],
  [422, 'CHOICES_INVALID', ['whole', 'oat'], 'items: Latte takes 1 of Milk, and choices has 2.'],
  [422, 'CHOICES_INVALID', ['oat', 'shot', 'syrup', 'cream'], 'items: Latte takes at most 2 of Extras, and choices has 3.'],
  [422, 'ITEM_NOT_FOUND', ['soya'], 'items: latte has no choice soya.'],
  [422, 'ITEM_NOT_FOUND', ['oat', 'latte'], 'items: latte has no choice latte.'],
  [400, 'VALIDATION_FAILED', ['oat', 'oat'], 'items[0].choices: must name each choice once'],
])('%i %s: choices %j', async (status, code, choices, message) => {
  const response = await create([latte(choices)]);
  expect([response.status, response.body.error.code]).toEqual([status, code]);
  expect(response.body.error.message).toContain(message);
});

test('a choice is no item, and a note has no line breaks', async () => {
  const refused = [await create([{ menu_item_id: 'oat', quantity: 1 }]), await create([latte(['oat'], { note: 'one\ntwo' })])];
  expect(refused.map(({ body }) => body.error.code)).toEqual(['ITEM_NOT_FOUND', 'VALIDATION_FAILED']);
});

test('a choice that staff mark as sold out is so in every item, and an item that needs one has none left', async () => {
  const own = await running.openStore({}, items);
  await staffOf(own).item('oat', { sold_out: 'until_changed' });
  expect(await staffOf(own).state('oat')).toMatchObject({ kind: 'choice', of: ['Latte', 'Mocha'], sold_out: true });
  expect(await staffOf(own).state('latte')).toMatchObject({ kind: 'item', of: [] });
  const soldOut = async () => (await menuOf(own)).map(({ id, sold_out }: { id: string; sold_out: boolean }) => [id, sold_out]);
  expect(await soldOut()).toEqual([
    ['latte', false],
    ['mocha', false],
    ['bun', false],
  ]);
  const refused = await create([{ menu_item_id: 'mocha', quantity: 1, choices: ['oat'] }], {}, own);
  expect([refused.body.error.code, refused.body.error.message]).toEqual(['OUT_OF_STOCK', 'Oat milk is sold out.']);
  await staffOf(own).item('whole', { sold_out: 'until_closing' });
  expect(await soldOut()).toEqual([
    ['latte', true],
    ['mocha', true],
    ['bun', false],
  ]);
});

test('units of a choice are counted over all lines of an order, and given back by a refund of lines and by a cancellation', async () => {
  const own = await running.openStore({}, items);
  const left = async () => (await staffOf(own).state('oat')).left;
  await staffOf(own).item('oat', { left: 4 });
  const five = await create([latte(['oat'], { quantity: 3 }), { menu_item_id: 'mocha', quantity: 2, choices: ['oat'] }], {}, own);
  expect([five.body.error.code, five.body.error.message]).toEqual(['OUT_OF_STOCK', 'Only 4 of Oat milk are left.']);
  expect(await ordersOf(running, own.id)).toBe(0);

  const lines = [latte(['oat'], { quantity: 2 }), latte(['oat', 'shot']), { menu_item_id: 'mocha', quantity: 1, choices: ['oat'] }];
  const order = await paidOrder(running, own, { items: lines, order_type: 'collect' });
  expect(await left()).toBe(0);
  const staff = worker(running, own);
  const refund = {
    refund_attempt_id: randomUUID(),
    lines: [
      { position: 1, quantity: 1, restock: true },
      { position: 3, quantity: 1 },
    ],
  };
  const refunded = await staff.refund(order.id, refund);
  expect([refunded.status, refunded.body.refund.amount]).toEqual([200, 380 + 420]);
  // The second line's was made already, and is not given back.
  expect(await left()).toBe(1);
  const { entries } = (await staff.call('GET', `/api/v1/orders/${order.id}/log`)).body;
  expect(entries.map(({ detail }: { detail: string | null }) => detail)).toContain(
    'It was cold. (1 × Latte (Oat milk), 1 × Mocha (Oat milk))',
  );
  await staff.advance(order.id, 'cancelled');
  expect(await left()).toBe(4);
});

test('of twelve who want the last of a choice at once, one gets it', async () => {
  const own = await running.openStore({}, items);
  await staffOf(own).item('oat', { left: 1 });
  const all = await Promise.all(Array.from({ length: 12 }, () => create([latte(['oat'])], {}, own)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.flatMap(({ body }) => body.error?.code ?? [])).toEqual(Array.from({ length: 11 }, () => 'OUT_OF_STOCK'));
});

test('an order whose total is not what the customer was shown holds nothing and says the new total', async () => {
  const own = await running.openStore({}, items);
  await staffOf(own).item('oat', { left: 4 });
  const request = { idempotency_key: randomUUID(), items: [latte(['oat']), { menu_item_id: 'bun', quantity: 2 }], tip_pence: 50 };
  const by = customer(running);
  const { status, body } = await by.create(own, { ...request, expected_total_pence: 929 });
  expect([status, body.error.code, body.error.total_pence]).toEqual([409, 'PRICE_CHANGED', 930]);
  expect(body.error.message).toBe('expected_total_pence: the total is £9.30 by now.');
  expect([await ordersOf(running, own.id), await takenOf(running, own.id, 'oat')]).toEqual([0, 0]);
  const placed = await by.create(own, { ...request, expected_total_pence: 930 });
  expect([placed.status, placed.body.amount_pence]).toEqual([200, 930]);
});

test('a new menu keeps what staff say of a choice, and one that is on no item any more cannot be ordered', async () => {
  const own = await running.openStore({}, items);
  await staffOf(own).item('oat', { left: 2 });
  const publish = (version: number, of: readonly object[]) =>
    running.service.database.transaction((tx) => saveMenu(tx, directoryMenu.data.parse({ version, store_id: own.id, items: of })));
  await publish(20, items);
  expect(await staffOf(own).state('oat')).toMatchObject({ left: 2, left_by_staff: true });
  await publish(21, [{ id: 'latte', name: 'Latte', price_pence: 340 }]);
  expect(await staffOf(own).state('oat')).toMatchObject({ available: false });
  expect((await create([latte(['oat'])], {}, own)).body.error.code).toBe('ITEM_NOT_FOUND');
});
