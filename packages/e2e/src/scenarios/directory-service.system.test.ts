import { hash, randomUUID } from 'node:crypto';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { type OwnStore, openStoreLike } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const pair = [
  { id: 'own-coffee', name: 'Coffee' },
  { id: 'own-cake', name: 'Cake' },
] as const;
let environment: TestEnvironment;
let store: OwnStore;
let shopper: Shopper;

beforeAll(async () => {
  environment = await sharedEnvironment('whole');
  const { system } = environment;
  store = await openStoreLike('coffee', system);
  const merchant = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store.id] });
  shopper = { ...(await newShopper(system)), merchant };
});

// biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
async function call(method: string, path: string, body?: object, { token = shopper.merchant, version = 0 } = {}): Promise<any> {
  const response = await fetch(`${environment.system.gatewayUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(method === 'PATCH' && path.startsWith('/directory') ? { 'if-match': version === 0 ? '*' : `"${version}"` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}

const ofDirectory = () => `/directory/stores/${store.id}`;
const setPrices = (prices: readonly number[]) =>
  call('PATCH', `${ofDirectory()}/menu`, { items: pair.map((item, index) => ({ ...item, price_pence: prices[index] })) });
const itemsOf = async (): Promise<{ id: string; price_pence: number }[]> => (await call('GET', `/orders/stores/${store.id}/menu`)).items;
const pricesOf = async () => {
  const items = await itemsOf();
  return pair.map(({ id }) => items.find((item) => item.id === id)?.price_pence);
};
const slotsOf = async (): Promise<{ id: string; starts_at: string }[]> =>
  (await call('GET', `/orders/stores/${store.id}/slots?limit=200`)).slots;
const untilPrices = (prices: readonly number[]) =>
  until(async () => String(await pricesOf()) === String(prices), { describe: `the menu to have the prices ${prices}` });

const place = (more: object = {}) => {
  const basket = {
    store_code: store.code,
    store_id: store.id,
    idempotency_key: randomUUID(),
    order_type: 'collect',
    collection_mode: 'now',
  };
  const items = pair.map(({ id }) => ({ menu_item_id: id, quantity: 1 }));
  return call('POST', '/orders', { ...basket, items, ...more }, { token: shopper.customer });
};

const orderOf = async (id: string) => (await call('GET', `/orders/${id}?store_id=${store.id}`)).order;

test('a price that an owner changes is in the menu that the app reads, and a change to an older version is refused', async () => {
  const before = await call('GET', `${ofDirectory()}/menu`);
  await setPrices([300, 200]);
  await untilPrices([300, 200]);
  const stale = call('PATCH', `${ofDirectory()}/menu`, { items: [{ id: pair[0].id, price_pence: 1 }] }, { version: before.version });
  await expect(stale).rejects.toThrow(/412.*VERSION_CONFLICT/);
  expect(await pricesOf()).toEqual([300, 200]);
});

test('prices that change while orders are placed give each order one of the two lists of prices, whole', async () => {
  const [one, other] = [
    [300, 200],
    [350, 270],
  ] as const;
  let placing = true;
  const changing = (async () => {
    for (let n = 0; placing; n += 1) await setPrices(n % 2 === 0 ? other : one);
  })();
  const placed: (readonly [total: number, prices: readonly number[]])[] = [];
  try {
    for (let n = 0; n < 15; n += 1) {
      for (const { order_id } of await Promise.all([place(), place()])) {
        const { total_pence, items } = await orderOf(order_id);
        placed.push([total_pence, items.map(({ unit_price_pence }: { unit_price_pence: number }) => unit_price_pence)]);
      }
    }
  } finally {
    placing = false;
    await changing;
  }
  const whole = [one, other].map((prices) => String([prices[0] + prices[1], prices]));
  expect(placed.filter((order) => !whole.includes(String(order)))).toEqual([]);
  expect(new Set(placed.map(([total]) => total)).size).toBe(2);
  await setPrices(one);
  await untilPrices(one);
});

test('an order in a slot of a template survives a change of the template and a closure of its day', async () => {
  await setPrices([300, 200]);
  await untilPrices([300, 200]);
  const everyDay = { days: [1, 2, 3, 4, 5, 6, 7], every_minutes: 60, capacity: 2 };
  await call('PATCH', `${ofDirectory()}/slots`, { template: [{ ...everyDay, from: '00:00', to: '00:00' }] });
  const farAhead = Date.now() + 50 * 3_600_000;
  const slot = await until(async () => (await slotsOf()).find(({ starts_at }) => Date.parse(starts_at) > farAhead), {
    describe: 'a slot of the template',
  });
  const { order_id, payment_intent_id } = await place({ collection_mode: 'scheduled', slot_id: slot.id });
  await pay(environment.system, environment.history, payment_intent_id);
  await call('POST', '/orders/confirm', { store_id: store.id, payment_intent_id }, { token: shopper.customer });

  await call('PATCH', `${ofDirectory()}/slots`, { template: [{ ...everyDay, from: '00:00', to: '23:30', every_minutes: 90 }] });
  const [from = 0, to = 0] = [-12, 12].map((hours) => Date.parse(slot.starts_at) + hours * 3_600_000);
  await call('PATCH', ofDirectory(), { closures: [{ starts_at: new Date(from).toISOString(), ends_at: new Date(to).toISOString() }] });
  const left = async () => (await slotsOf()).filter(({ starts_at }) => from <= Date.parse(starts_at) && Date.parse(starts_at) < to);
  await until(async () => (await left()).length === 0, {
    describe: 'no slot to be left in the closure',
  });
  await expect(place({ collection_mode: 'scheduled', slot_id: slot.id })).rejects.toThrow(/SLOT_CLOSED/);

  expect(await orderOf(order_id)).toMatchObject({ status: 'paid', requested_collection_at: slot.starts_at });
  for (const to_status of ['preparing', 'ready', 'collected'])
    await call('PATCH', `/orders/${order_id}/fulfilment`, { store_id: store.id, to_status });
  expect(await orderOf(order_id)).toMatchObject({ status: 'paid', fulfilment_status: 'collected' });
  await call('PATCH', ofDirectory(), { closures: [] });
});

test('a picture that an owner uploads through the gateway is shown by pages of any origin', async () => {
  const picture = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1');
  const { gatewayUrl } = environment.system;
  const headers = { authorization: `Bearer ${shopper.merchant}` };
  const uploaded = await fetch(`${gatewayUrl}/api/v1/directory/pictures?store_id=${store.id}`, { method: 'POST', headers, body: picture });
  const { url } = (await uploaded.json()) as { url: string };
  expect(url).toMatch(`/api/v1/directory/pictures/${hash('sha256', picture)}`);
  const shown = await fetch(gatewayUrl + url);
  expect(Buffer.from(await shown.bytes())).toEqual(picture);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
});
