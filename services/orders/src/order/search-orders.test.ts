// covers: listOrders

import { randomUUID } from 'node:crypto';
import { directoryCustomer } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeContact } from '../shop/tables/projections.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { putEnded, putLive } from '../testing/put-orders.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const list = (query: Record<string, string | number>, of = store): Promise<ApiResponse> =>
  worker(running, of).call('GET', `/api/v1/orders?${new URLSearchParams({ store_id: of.id, ...query } as Record<string, string>)}`);
const find = async (q: string, of = store): Promise<Record<'active' | 'history', string[]>> => {
  const idsIn = async (scope: string) => {
    const { status, body } = await list({ scope, q }, of);
    expect(status).toBe(200);
    return body.orders.map(({ id }: { id: string }) => id);
  };
  return { active: await idsIn('active'), history: await idsIn('history') };
};

async function named(name: string) {
  const caller = customer(running);
  const snapshot = { id: caller.sub, version: 1, name, push_devices: [], email: null, phone: null };
  await writeContact(running.service.database, directoryCustomer.data.parse(snapshot));
  return caller;
}

describe('a search finds an order of the live list, and of history once it has ended', () => {
  const ended = async (orderId: string) => expect((await worker(running, store).advance(orderId, 'cancelled')).status).toBe(200);
  const both = async (orderId: string, ...searches: string[]) => {
    for (const q of searches) expect([q, await find(q)]).toEqual([q, { active: [orderId], history: [] }]);
    await ended(orderId);
    for (const q of searches) expect([q, await find(q)]).toEqual([q, { active: [], history: [orderId] }]);
  };

  test('by its number, with or without the store’s code, in either case', async () => {
    const { order_id, order_number } = await customer(running).paid(store, { order_type: 'collect' });
    await customer(running).paid(store, { order_type: 'collect' });
    const digits = order_number.slice(order_number.lastIndexOf('-') + 1);
    await both(order_id, order_number, order_number.toLowerCase(), digits, ` ${digits} `);
  });

  test('by its collection code, in either case', async () => {
    const { order_id } = await customer(running).paid(store, { order_type: 'collect' });
    const { collection_code } = (await worker(running, store).get(order_id)).body.order;
    await both(order_id, collection_code, collection_code.toLowerCase());
  });

  test('by the beginning of the customer’s name, of three letters or more', async () => {
    const ana = await named('Zoë 50%_Lovelace');
    await (await named('Ana Zoë')).paid(store, { order_type: 'collect' });
    const { order_id } = await ana.paid(store, { order_type: 'collect' });
    expect(await find('zo')).toEqual({ active: [], history: [] });
    expect(await find('zo_ 50')).toEqual({ active: [], history: [] });
    expect(await find('%ov')).toEqual({ active: [], history: [] });
    await both(order_id, 'zoë', 'zoë'.normalize('NFD'), 'zoe', 'ZOË 50%', 'Zoë 50%_Lovelace');
  });

  test('by a whole short name, which is not taken for the beginning of others', async () => {
    await (await named('Ngozi')).paid(store, { order_type: 'collect' });
    const ng = await (await named('Ng')).paid(store, { order_type: 'collect' });
    const wang = await (await named('王芳')).paid(store, { order_type: 'collect' });
    expect(await find('ng')).toEqual({ active: [ng.order_id], history: [] });
    await both(wang.order_id, '王芳', '王芳\u200b');
  });

  test('by the id of the customer', async () => {
    const ana = customer(running);
    const { order_id } = await ana.paid(store, { order_type: 'collect' });
    await both(order_id, ana.sub, ana.sub.toUpperCase());
  });
});

test('the number of a mixed order finds its legs too, and a leg’s number that leg alone', async () => {
  const items = [{ menu_item_id: 'flat-white', quantity: 1 }];
  const { order_id, order_number } = await (await named('Beatrix Potter')).paid(store, {
    items: [],
    fulfilment_groups: [{ role: 'now', items }, ...[1, 2].map(() => ({ role: 'collect', items }))],
  });
  const family = (await find(order_number)).active;
  expect(family).toHaveLength(3);
  expect(family).toContain(order_id);
  expect((await find('beatrix')).active).toEqual(family);
  const [leg] = (await find(`${order_number}-2`)).active;
  expect(family).toContain(leg);
  expect(leg).not.toBe(order_id);
});

test('a search finds no order of another store, whose staff may not search here', async () => {
  const other = await running.openStore();
  const ana = await named('Carol Shaw');
  const order = await ana.paid(other, { order_type: 'collect' });
  for (const q of [order.order_number, 'carol', ana.sub]) expect(await find(q)).toEqual({ active: [], history: [] });
  expect((await find('carol', other)).active).toEqual([order.order_id]);
  const { status, body } = await worker(running, other).call('GET', `/api/v1/orders?store_id=${store.id}&q=carol`);
  expect([status, body.error.code]).toEqual([403, 'STORE_FORBIDDEN']);
});

test.each(['active', 'history'])('a search of the %s list pages like the list itself', async (scope) => {
  const ana = await named('Dorothy Vaughan');
  for (let n = 0; n < 5; n += 1) {
    const { order_id } = await ana.paid(store, { order_type: 'collect' });
    if (scope === 'history') await worker(running, store).advance(order_id, 'cancelled');
  }
  const whole = (await list({ scope, q: 'dorothy' })).body.orders;
  expect(whole).toHaveLength(5);
  const { id: before_id, created_at: before } = whole[1];
  expect((await list({ scope, q: 'dorothy', limit: 2, before, before_id })).body.orders).toEqual(whole.slice(2, 4));
});

describe('days are the store’s, both inclusive', () => {
  beforeEach(async () => {
    store = await running.openStore({ time_zone: 'Pacific/Auckland' });
  });

  test.each([
    ['active', putLive],
    ['history', putEnded],
  ] as const)('in the %s list', async (scope, put) => {
    // 12 hours ahead of UTC.
    const [first] = await put(running, store, { orders: 1, from: '2026-05-01T11:59:59.999Z' });
    const [second] = await put(running, store, { orders: 1, from: '2026-05-01T12:00:00Z' });
    const [third] = await put(running, store, { orders: 1, from: '2026-05-02T12:00:00Z' });
    const on = async (days: Record<string, string>) =>
      (await list({ scope, ...days })).body.orders.map(({ id }: { id: string }) => id).toSorted();
    const sorted = (...ids: (string | undefined)[]) => ids.toSorted();
    expect(await on({ from: '2026-05-02', to: '2026-05-02' })).toEqual([second]);
    expect(await on({ to: '2026-05-01' })).toEqual([first]);
    expect(await on({ from: '2026-05-03' })).toEqual([third]);
    expect(await on({ from: '2026-05-01', to: '2026-05-02' })).toEqual(sorted(first, second));
    expect(await on({ from: '0001-01-01', to: '9999-12-31' })).toEqual(sorted(first, second, third));
  });
});

test.each([
  ['q', { q: 'a' }],
  ['q', { q: `${'a'.repeat(65)}` }],
  ['q', { q: 'a\0b' }],
  ['from', { from: '2026-02-30' }],
  ['from', { from: '0000-01-01' }],
  ['to', { to: 'yesterday' }],
  ['to', { from: '2026-05-02', to: '2026-05-01' }],
] as const)('a list with a wrong %s is refused: %j', async (field, query) => {
  const { status, body } = await list({ ...query });
  expect([status, body.error.code, body.error.message]).toEqual([400, 'VALIDATION_FAILED', expect.stringContaining(field)]);
});

test('a customer may not search', async () => {
  const response = await customer(running).call('GET', `/api/v1/orders?store_id=${store.id}&q=${randomUUID()}`);
  expect(codeOf(response)).toEqual([403, 'WRONG_TOKEN_TYPE']);
});
