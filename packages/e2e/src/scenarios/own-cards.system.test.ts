import { randomUUID } from 'node:crypto';
import { createClient } from '@corner/client';
import { demoDirectory, people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { payAndConfirm } from '../testing/order-scenario.ts';
import { publishDirectory, withOwnPromos } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const store = { id: randomUUID(), code: randomUUID().slice(0, 8) };
const ana = randomUUID();

beforeAll(async () => {
  environment = await sharedEnvironment();
  const demo = demoDirectory(new Date()) as Record<'stores' | 'menus', readonly Record<string, unknown>[]>;
  const content = {
    stores: [{ ...demo.stores[0], ...store }],
    menus: [{ ...withOwnPromos(demo.menus[0]), store_id: store.id }],
    programmes: [{ store_id: store.id, goal: 5, reward: { kind: 'amount', value: 300 } }],
    customers: [{ id: ana, name: 'Ana' }],
  };
  await publishDirectory(environment.system, content);
});

const clientOf = (claims: Parameters<TestEnvironment['system']['tokens']['token']>[0]) =>
  createClient({ baseUrl: environment.system.gatewayUrl, token: () => environment.system.tokens.token(claims) });

test('a card’s history has each stamp with what it was for and why one was lost, adds up to the card, and comes in pages', async () => {
  const customer = clientOf({ typ: 'customer', sub: ana });
  const staff = clientOf({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store.id] });
  const { id: store_id, code: store_code } = store;
  const menu = { params: { path: { store_id } } };
  await until(() => customer.GET('/api/v1/orders/stores/{store_id}/menu', menu).catch(() => null), { describe: 'the menu of the store' });
  const card = async () => (await customer.GET('/api/v1/loyalty/mine')).data.cards.find(({ programme_id }) => programme_id === store_id);
  const shows = (stamps: number) => until(async () => (await card())?.stamp_count === stamps, { describe: `a card with ${stamps} stamps` });
  const order = async () => {
    const items = [{ menu_item_id: 'flat-white', quantity: 1 }];
    const { data } = await customer.POST('/api/v1/orders', {
      body: { store_id, store_code, items, order_type: 'collect', collection_mode: 'now', idempotency_key: randomUUID() },
    });
    await payAndConfirm(environment, customer, store_id, data);
    return data.order_id;
  };

  const kept = await order();
  await shows(1);
  const refunded = await order();
  await shows(2);
  await staff.POST('/api/v1/orders/{orderId}/refund', {
    params: { path: { orderId: refunded } },
    body: { store_id, reason: 'It was cold.', refund_attempt_id: randomUUID() },
  });
  await shows(1);
  const { data: made } = await customer.POST('/api/v1/loyalty/stamp-codes', { body: { store_id } });
  const { data: redeemed } = await customer.POST('/api/v1/loyalty/stamp-codes/redeem', {
    body: { code: made.code, expected_store_id: store_id },
  });
  await staff.POST('/api/v1/loyalty/stamps/review', { body: { store_id, stamp_id: redeemed.stamp_id ?? '', action: 'approve' } });
  await shows(2);

  const history = '/api/v1/loyalty/mine/{store_id}/history';
  const page = async (before?: string) =>
    (await customer.GET(history, { params: { path: { store_id }, query: { limit: 3, ...(before === undefined ? {} : { before }) } } })).data
      .entries;
  const first = await page();
  const entries = [...first, ...(await page(first.at(-1)?.id))];
  expect(entries.map(({ kind, change, source, order_id, lost_by }) => [kind, change, source === 'order', order_id, lost_by])).toEqual([
    ['stamp', 1, false, null, null],
    ['stamp_lost', -1, true, refunded, 'refund'],
    ['stamp', 1, true, refunded, null],
    ['stamp', 1, true, kept, null],
  ]);
  const shown = await card();
  expect(entries.reduce((sum, { change }) => sum + change, 0)).toBe((shown?.stamp_count ?? 0) - (shown?.owed ?? 0));
  expect(entries[0]).toMatchObject({ count_after: 2, owed_after: 0, store_id });

  const path = { store_id };
  const ofOrder = { params: { path: { orderId: kept } } };
  const reads = {
    cards: await customer.GET('/api/v1/loyalty/mine'),
    history: await customer.GET(history, { params: { path } }),
    orders: await customer.GET('/api/v1/orders/mine'),
    order: await customer.GET('/api/v1/orders/{orderId}/mine', ofOrder),
    menu: await customer.GET('/api/v1/orders/stores/{store_id}/menu', menu),
  };
  const again = [
    await customer.GET('/api/v1/loyalty/mine', { previous: reads.cards }),
    await customer.GET(history, { params: { path }, previous: reads.history }),
    await customer.GET('/api/v1/orders/mine', { previous: reads.orders }),
    await customer.GET('/api/v1/orders/{orderId}/mine', { ...ofOrder, previous: reads.order }),
    await customer.GET('/api/v1/orders/stores/{store_id}/menu', { ...menu, previous: reads.menu }),
  ];
  expect(again.map(({ response }) => response.status)).toEqual(again.map(() => 304));
});
