// covers: listMyOrders, getMyOrder, listStores, readMenu, listOpenSlots

import { randomUUID } from 'node:crypto';
import { directoryMenu, directoryStore } from '@corner/contracts';
import { openEventStream } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lookAtAccount } from '../accounts/sagas.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { slotIn } from '../testing/whole-store.ts';
import { writeStore } from './tables/projections.ts';
import { saveMenu } from './transactions.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('a customer’s own orders', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  type Customer = ReturnType<typeof customer>;
  const read = (who: Customer, id: string, headers = {}) => who.call('GET', `/api/v1/orders/${id}/mine`, undefined, headers);
  const list = (who: Customer, query = '') => who.call('GET', `/api/v1/orders/mine${query}`);
  const mixed = {
    items: [],
    fulfilment_groups: [
      { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
      { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 2 }] },
    ],
  };

  test('a customer reads their order with every field of it, and nothing that is the store’s alone', async () => {
    const ana = customer(running);
    const { order_id, order_number } = await ana.paid(store, { order_type: 'collect', tip_pence: 50 });
    const { status, body } = await read(ana, order_id);
    expect(status).toBe(200);
    const plain = { quantity: 1, choices: [], note: null, refunded: 0 };
    expect(body.order).toEqual({
      id: order_id,
      store_id: store.id,
      store_name: 'Corner Coffee',
      order_number,
      status: 'paid',
      order_type: 'collect',
      fulfilment_status: 'accepted',
      collection_code: expect.any(String),
      collection_mode: 'now',
      table_number: null,
      requested_collection_at: expect.any(String),
      revised_ready_at: null,
      prep_minutes: 5,
      created_at: expect.any(String),
      accepted_at: expect.any(String),
      preparing_at: null,
      ready_at: null,
      collected_at: null,
      cancelled_by: null,
      uncollected: false,
      total_pence: 690,
      currency: 'GBP',
      tip_pence: 50,
      discount_pence: 0,
      refunded_pence: 0,
      items: [
        { position: 1, menu_item_id: 'flat-white', name: 'Flat white', ...plain, unit_price_pence: 350, total_pence: 350 },
        { position: 2, menu_item_id: 'croissant', name: 'Croissant', ...plain, unit_price_pence: 290, total_pence: 290 },
      ],
      children: [],
      receipt_url: expect.stringMatching(/\/receipts\/[\w-]{44}$/),
    });
  });

  test('a mixed order has its legs, and the id of a leg reads the whole order', async () => {
    const ana = customer(running);
    const { order_id } = await ana.paid(store, mixed);
    const { body } = await read(ana, order_id);
    expect(body.order.children).toMatchObject([{ fulfilment_status: 'accepted', total_pence: 580 }]);
    expect((await read(ana, body.order.children[0].order_id)).body).toEqual(body);
    expect((await list(ana)).body.orders).toEqual([body.order]);
  });

  test('the order of another customer is not there, and staff cannot read it this way', async () => {
    const { order_id } = await customer(running).paid(store);
    expect(codeOf(await read(customer(running), order_id))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await read(customer(running), randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await worker(running, store).call('GET', `/api/v1/orders/${order_id}/mine`))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });

  test('a customer pages through their own orders of all stores, newest first, and gets each once', async () => {
    const ana = customer(running);
    const other = await running.openStore({ name: 'The Other' });
    await customer(running).paid(store);
    const placed: string[] = [];
    for (const at of [store, other, store, other, store])
      placed.push((await ana.paid(at, { items: [{ menu_item_id: 'sample', quantity: 1 }] })).order_id);
    const paged: string[] = [];
    for (let query = '?limit=2'; query; ) {
      const { orders } = (await list(ana, query)).body;
      paged.push(...orders.map(({ id }: { id: string }) => id));
      const last = orders.at(-1);
      query = orders.length < 2 ? '' : `?limit=2&before=${last.created_at}&before_id=${last.id}`;
    }
    expect(paged).toEqual(placed.toReversed());
    expect(codeOf(await list(ana, '?before=yesterday'))).toEqual([400, 'INVALID_CURSOR']);
  });

  test('a read that names the tag it has gets 304, until the order changes', async () => {
    const ana = customer(running);
    const { order_id } = await ana.paid(store, { order_type: 'collect' });
    const first = await ana.open(`/api/v1/orders/${order_id}/mine`);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control'), etag]).toEqual([
      200,
      'private, no-cache',
      expect.stringMatching(/^"[\w-]{22}"$/),
    ]);
    const again = () => ana.open(`/api/v1/orders/${order_id}/mine`, { 'If-None-Match': etag });
    expect([(await again()).status, await (await again()).text()]).toEqual([304, '']);
    await worker(running, store).advance(order_id, 'preparing');
    expect((await again()).status).toBe(200);
  });

  test('an order is followed: each change comes as an event, and a client that comes back gets what it has missed', async () => {
    const ana = customer(running);
    const staff = worker(running, store);
    const { order_id } = await ana.paid(store, { order_type: 'collect' });
    const path = `/api/v1/orders/${order_id}/mine`;
    const statusOf = async (stream: Awaited<ReturnType<typeof openEventStream>>) =>
      JSON.parse((await stream.next()).data).order.fulfilment_status;
    const stream = await openEventStream(await ana.open(path, { Accept: 'text/event-stream' }));
    expect(await statusOf(stream)).toBe('accepted');
    await staff.advance(order_id, 'preparing');
    expect(await statusOf(stream)).toBe('preparing');
    await stream.close();

    await staff.advance(order_id, 'ready');
    const back = await openEventStream(await ana.open(path, { Accept: 'text/event-stream', 'Last-Event-ID': stream.lastId }));
    expect(await statusOf(back)).toBe('ready');
    await back.close();

    const current = await openEventStream(await ana.open(path, { Accept: 'text/event-stream', 'Last-Event-ID': back.lastId }));
    await staff.advance(order_id, 'collected');
    expect(await statusOf(current)).toBe('collected');
    await current.close();
  });

  test('a stream is refused as a read is, and one caller may have ten', async () => {
    const ana = customer(running);
    const { order_id } = await ana.paid(store);
    const follow = (who: Customer) => who.open(`/api/v1/orders/${order_id}/mine`, { Accept: 'text/event-stream' });
    const stranger = await follow(customer(running));
    expect([stranger.status, ((await stranger.json()) as ApiResponse['body']).error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    const streams = await Promise.all(Array.from({ length: 10 }, async () => await openEventStream(await follow(ana))));
    const eleventh = await follow(ana);
    expect([eleventh.status, ((await eleventh.json()) as ApiResponse['body']).error.code, eleventh.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '15',
    ]);
    for (const stream of streams) await stream.close();
  });
});

describe('stores, menus and slots', () => {
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
            id,
            code,
            name: 'Corner Coffee',
            currency: 'EUR',
            time_zone: 'Europe/Paris',
            hours: [],
            openings: [{ starts_at: expect.any(String), ends_at: expect.any(String) }],
            takes_orders: 'now',
            reason: null,
            address: null,
            phone: null,
            position: null,
          },
        ],
      },
    });
    expect((await get(`?code=${someCode()}`)).body).toEqual({ stores: [] });
  });

  test('everyone reads where a store is and what number it has, and no longer what it took back', async () => {
    const code = someCode();
    const address = { lines: ['12 Market Street'], postcode: 'E8 1AB', city: 'London', country: 'GB' };
    const shown = { address, phone: '+442079460000', position: { latitude: 51.543, longitude: -0.0553 } };
    const { id } = await running.openStore({ code, ...shown, address_shown: true });
    expect((await get(`?code=${code}`)).body.stores[0]).toMatchObject(shown);
    expect((await get(`/${id}/menu`)).body.store).toMatchObject(shown);
    const none = { address: null, phone: null, position: null };
    await running.service.database.transaction((tx) =>
      writeStore(tx, directoryStore.data.parse({ version: 2, id, code, name: 'Corner Coffee', ...none })),
    );
    expect((await get(`?code=${code}`)).body.stores[0]).toMatchObject(none);
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

  test('a store that its owner created is listed while its account takes money, and is found by its code before', async () => {
    const code = someCode();
    const store = await running.openStore({ code, listing: 'with_account' });
    const platforms = await running.openStore({ code: someCode() });
    const ids = async (query: string) => (await get(query)).body.stores.map(({ id }: { id: string }) => id);
    const isListed = async ({ id }: OpenStore) => (await ids(`?limit=1&after=${before(id)}`)).includes(id);
    const look = (account: object) => {
      running.payments.controls.registerAccount(store.account, account);
      running.clock.advance({ seconds: 1 });
      return lookAtAccount(running.service.context, store.account);
    };
    expect([await isListed(store), await isListed(platforms), await ids(`?code=${code}`)]).toEqual([false, true, [store.id]]);
    expect((await get(`/${store.id}/menu`)).status).toBe(200);
    await look({});
    expect(await isListed(store)).toBe(true);
    await look({ charges: false, transfers: false });
    expect([await isListed(store), await ids(`?code=${code}`)]).toEqual([false, [store.id]]);
  });

  const before = (id: string) => {
    const number = BigInt(`0x${id.replaceAll('-', '')}`) - 1n;
    return number
      .toString(16)
      .padStart(32, '0')
      .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  };

  test('a menu has what the store offers, and says what is sold out', async () => {
    const store = await running.openStore();
    const items = async () => (await get(`/${store.id}/menu`)).body.items;
    expect((await items()).map(({ id, sold_out }: { id: string; sold_out: boolean }) => [id, sold_out])).toEqual([
      ['flat-white', false],
      ['croissant', false],
      ['last-cake', false],
      ['sample', false],
      ['sweet', false],
    ]);
    expect((await items())[0]).toEqual({
      id: 'flat-white',
      name: 'Flat white',
      price_pence: 350,
      prep_minutes: 5,
      sold_out: false,
      category: null,
      description: null,
      image_url: null,
      allergens: null,
      diet: [],
      options: [],
    });
    await customer(running).create(store, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
    expect((await items())[2]).toMatchObject({ id: 'last-cake', sold_out: true });
    expect((await get(`/${store.id}/menu`)).body.store).toMatchObject({ id: store.id, takes_orders: 'now' });
  });

  test('a menu is in the order that its store gave it, for customers and for staff, also after an item has moved', async () => {
    const store = await running.openStore();
    const ids = async () => (await get(`/${store.id}/menu`)).body.items.map(({ id }: { id: string }) => id);
    const moved = [...menu.slice(2), ...menu.slice(0, 2)];
    await running.service.database.transaction(
      async (tx) => await saveMenu(tx, directoryMenu.data.parse({ version: 2, store_id: store.id, items: moved })),
    );
    const order = ['last-cake', 'sample', 'sweet', 'flat-white', 'croissant'];
    expect(await ids()).toEqual(order);
    const { items } = (await worker(running, store).call('GET', `/api/v1/orders/stores/${store.id}/switches`)).body;
    expect(items.map(({ menu_item_id }: { menu_item_id: string }) => menu_item_id)).toEqual([...order, 'sold-out']);
  });

  test('a menu says that its store has slots while one is open and not over, full or not, and reads that in no further statement', async () => {
    const hasSlots = async ({ id }: OpenStore) => (await get(`/${id}/menu`)).body.has_slots;
    const over = slotIn(running, -60);
    const closed = { ...slotIn(running, 120), open: false };
    const shut = slotIn(running, 180);
    const closures = [{ starts_at: at(170), ends_at: at(240) }];
    const cannotBeBooked = await running.openStore({ closures }, menu, [over, closed, shut]);
    const withSlots = await running.openStore({}, menu, [slotIn(running, 60)]);
    const allFull = await running.openStore({}, menu, [{ ...slotIn(running, 60), capacity: 0 }]);
    const nearlyOver = await running.openStore({}, menu, [slotIn(running, -14)]);
    const before = running.statements.length;
    expect([await hasSlots(withSlots), running.statements.length - before]).toEqual([true, 2]);
    expect([await hasSlots(allFull), await hasSlots(nearlyOver)]).toEqual([true, true]);
    expect([await hasSlots(cannotBeBooked), await hasSlots(await running.openStore())]).toEqual([false, false]);
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
});
