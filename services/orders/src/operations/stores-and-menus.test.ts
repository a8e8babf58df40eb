// covers: listStores, readMenu, listOpenSlots
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer } from '../testing/callers.ts';
import { menu, type Running, startRunning } from '../testing/running.ts';
import { slotIn } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const get = async (path: string) => {
  const response = await fetch(`${running.service.url}/api/v1/orders/stores${path}`);
  return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
};
const at = (minutes: number) => new Date(running.clock.now().getTime() + minutes * 60_000).toISOString();
const someCode = () => `C${randomUUID().slice(0, 8)}`;

test('a store is found by its code, whatever its case, without a token', async () => {
  const code = someCode();
  const { id } = await running.openStore({ code, name: 'Corner Coffee', time_zone: 'Europe/Paris', currency: 'EUR' });
  await running.openStore({ code: someCode() });
  expect(await get(`?code=${code.toLowerCase()}`)).toEqual({
    status: 200,
    body: {
      stores: [
        {
          ...{ id, code, name: 'Corner Coffee', currency: 'EUR', time_zone: 'Europe/Paris', hours: [] },
          takes_orders: 'now',
          reason: null,
        },
      ],
    },
  });
  expect((await get(`?code=${someCode()}`)).body).toEqual({ stores: [] });
});

test('a store says which orders it takes: any, for a slot only, or none; and a store that is not live is not shown', async () => {
  const code = someCode();
  const shown = async (store: Parameters<Running['openStore']>[0]) => {
    const { id } = await running.openStore({ ...store, code });
    const { stores } = (await get(`?code=${code}`)).body;
    const found = stores.find((one: { id: string }) => one.id === id);
    return found && [found.takes_orders, found.reason];
  };
  expect(await shown({})).toEqual(['now', null]);
  expect(await shown({ closures: [{ starts_at: at(-5), ends_at: at(60) }] })).toEqual([
    'scheduled',
    expect.stringMatching(/^The store is closed until/),
  ]);
  expect(await shown({ hours: [{ day: ((running.clock.now().getUTCDay() + 2) % 7) + 1, opens: '09:00', closes: '09:01' }] })).toEqual([
    'scheduled',
    expect.any(String),
  ]);
  expect(await shown({ paused_until: at(30) })).toEqual(['none', expect.stringMatching(/^The store takes no orders until/)]);
  expect(await shown({ connected_account_id: null })).toEqual(['none', expect.any(String)]);
  expect(await shown({ status: 'dark' })).toBeUndefined();
});

test('stores are paged by id, each once', async () => {
  const code = someCode();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await running.openStore({ code })).id);
  const paged: string[] = [];
  for (let after = ''; ; ) {
    const { stores } = (await get(`?code=${code}&limit=2${after}`)).body;
    paged.push(...stores.map(({ id }: { id: string }) => id));
    if (stores.length < 2) break;
    after = `&after=${paged.at(-1)}`;
  }
  expect(paged).toEqual(ids.toSorted());
  const first = (await get('?limit=1')).body.stores[0].id;
  expect((await get(`?limit=1&after=${first}`)).body.stores[0].id > first).toBe(true);
});

test('a menu has what the store offers, and says what is sold out', async () => {
  const store = await running.openStore();
  const items = async () => (await get(`/${store.id}/menu`)).body.items;
  expect((await items()).map(({ id, sold_out }: { id: string; sold_out: boolean }) => [id, sold_out])).toEqual([
    ['sweet', false],
    ['sample', false],
    ['croissant', false],
    ['flat-white', false],
    ['last-cake', false],
  ]);
  expect((await items())[3]).toEqual({ id: 'flat-white', name: 'Flat white', price_pence: 350, prep_minutes: 5, sold_out: false });
  await customer(running).create(store, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
  expect((await items())[4]).toMatchObject({ id: 'last-cake', sold_out: true });
  expect((await get(`/${store.id}/menu`)).body.store).toMatchObject({ id: store.id, takes_orders: 'now' });
});

test('open slots are those that an order can be placed for', async () => {
  const [past, full, free, closed, shut, unlimited] = [
    slotIn(running, -60),
    { ...slotIn(running, 30), capacity: 0 },
    { ...slotIn(running, 60), capacity: 2 },
    { ...slotIn(running, 120), open: false },
    slotIn(running, 180),
    { ...slotIn(running, 600), capacity: null },
  ];
  const closures = [{ starts_at: at(170), ends_at: at(240) }];
  const store = await running.openStore({ closures }, menu, [past, full, free, closed, shut, unlimited]);
  const slots = async (query = '') =>
    (await get(`/${store.id}/slots${query}`)).body.slots.map((slot: { id: string; orders_remaining: number | null }) => [
      slot.id,
      slot.orders_remaining,
    ]);
  expect(await slots()).toEqual([
    [free.id, 2],
    [unlimited.id, null],
  ]);
  await customer(running).create(store, { collection_mode: 'scheduled', slot_id: free.id });
  expect((await slots())[0]).toEqual([free.id, 1]);
  expect(await slots('?limit=1')).toEqual([[free.id, 1]]);
  expect(await slots(`?from=${encodeURIComponent(at(300))}`)).toEqual([[unlimited.id, null]]);
});

test('a store that takes no orders has no open slots, and one that is unknown is not found', async () => {
  const store = await running.openStore({ paused_until: at(30) }, menu, [slotIn(running, 60)]);
  expect((await get(`/${store.id}/slots`)).body).toEqual({ slots: [] });
  for (const path of ['menu', 'slots']) {
    const { status, body } = await get(`/${randomUUID()}/${path}`);
    expect([status, body.error.code]).toEqual([404, 'STORE_NOT_FOUND']);
  }
});
