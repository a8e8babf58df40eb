import { randomUUID } from 'node:crypto';
import { CornerError, createClient } from '@corner/client';
import { demoDirectory, people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { payAndConfirm } from '../testing/order-scenario.ts';
import { publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const store = { id: randomUUID(), code: randomUUID().slice(0, 8) };
const ana = randomUUID();

const milk = {
  id: 'milk',
  name: 'Milk',
  min: 1,
  choices: [
    { id: 'whole', name: 'Whole milk', allergens: ['milk'] },
    { id: 'oat', name: 'Oat milk', price_pence: 40, allergens: ['gluten'] },
  ],
};
const items = [
  { id: 'latte', name: 'Latte', price_pence: 360, vat_rate_bps: 2000, category: 'Coffee', allergens: [], options: [milk] },
  {
    id: 'bun',
    name: 'Bun',
    price_pence: 250,
    vat_rate_bps: 0,
    category: 'Bakery',
    allergens: ['gluten', 'eggs', 'milk'],
    diet: ['vegetarian'],
  },
];

beforeAll(async () => {
  environment = await sharedEnvironment();
  const demo = demoDirectory(new Date()) as { readonly stores: readonly Record<string, unknown>[] };
  const content = {
    stores: [{ ...demo.stores[0], ...store }],
    menus: [{ store_id: store.id, items }],
    customers: [{ id: ana, name: 'Ana' }],
  };
  await publishDirectory(environment.system, content);
});

const clientOf = (claims: Parameters<TestEnvironment['system']['tokens']['token']>[0]) =>
  createClient({ baseUrl: environment.system.gatewayUrl, token: () => environment.system.tokens.token(claims) });

test('an app shows what is in a drink before it is bought, and an order with choices goes from the menu to the refund of a line', async () => {
  const customer = clientOf({ typ: 'customer', sub: ana });
  const staff = clientOf({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store.id] });
  const path = { store_id: store.id };
  const menu = await until(
    async () => (await customer.GET('/api/v1/orders/stores/{store_id}/menu', { params: { path } }).catch(() => null))?.data,
    { describe: 'the menu of the store' },
  );
  expect(menu.items.map(({ name, category, allergens, diet }) => [name, category, allergens, diet])).toEqual([
    ['Latte', 'Coffee', [], []],
    ['Bun', 'Bakery', ['gluten', 'eggs', 'milk'], ['vegetarian']],
  ]);
  expect(menu.items[0]?.options[0]?.choices.map(({ name, price_pence, allergens }) => [name, price_pence, allergens])).toEqual([
    ['Whole milk', 0, ['milk']],
    ['Oat milk', 40, ['gluten']],
  ]);

  const oat = { params: { path: { ...path, menu_item_id: 'oat' } } };
  await staff.PATCH('/api/v1/orders/stores/{store_id}/menu/{menu_item_id}', { ...oat, body: { left: 3 } });
  const body = {
    store_id: store.id,
    store_code: store.code,
    order_type: 'collect' as const,
    items: [
      { menu_item_id: 'latte', quantity: 2, choices: ['oat'], note: 'extra hot' },
      { menu_item_id: 'bun', quantity: 1 },
    ],
  };
  const refused = await customer
    .POST('/api/v1/orders', { body: { ...body, idempotency_key: randomUUID(), expected_total_pence: 970 } })
    .catch((error: CornerError) => error);
  expect([refused instanceof CornerError && refused.code, refused instanceof CornerError && refused.totalPence]).toEqual([
    'PRICE_CHANGED',
    1050,
  ]);
  const { data: placed } = await customer.POST('/api/v1/orders', {
    body: { ...body, idempotency_key: randomUUID(), expected_total_pence: 1050 },
  });
  await payAndConfirm(environment, customer, store.id, placed);

  const leftOfOat = async () => {
    const { data } = await staff.GET('/api/v1/orders/stores/{store_id}/switches', { params: { path } });
    return data.items.find(({ menu_item_id }) => menu_item_id === 'oat')?.left;
  };
  expect(await leftOfOat()).toBe(1);
  const reading = { params: { path: { orderId: placed.order_id } } };
  const { data } = await customer.GET('/api/v1/orders/{orderId}/mine', reading);
  expect(data.order.items[0]).toMatchObject({
    note: 'extra hot',
    unit_price_pence: 400,
    choices: [{ option: 'Milk', name: 'Oat milk', price_pence: 40 }],
  });

  const lines = [{ position: 1, quantity: 1, restock: true }];
  const { data: refunded } = await staff.POST('/api/v1/orders/{orderId}/refund', {
    ...reading,
    body: { store_id: store.id, reason: 'It was cold.', refund_attempt_id: randomUUID(), lines },
  });
  expect([refunded.refund.amount, await leftOfOat()]).toEqual([400, 2]);

  const { receipt_url: url } = (await customer.GET('/api/v1/orders/{orderId}/mine', reading)).data.order;
  const receipt = await (await fetch(`${environment.system.gatewayUrl}${new URL(url ?? '').pathname}`)).text();
  for (const shown of ['2 × Latte (Oat milk)', '1 × Bun', '£8.00', '20%', '0%', '£6.67', '£1.33']) expect(receipt).toContain(shown);
  expect(receipt).not.toContain('extra hot');
});
