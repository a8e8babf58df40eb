import { randomUUID } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { directoryMenu, directorySlots } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { saveMenu, saveSlots } from '../shop/transactions.ts';
import { type ApiResponse, basketOf, customer, worker } from '../testing/callers.ts';
import { expireOverdue, ordersOf, takenOf } from '../testing/rows.ts';
import { type Draw, randomly } from '../testing/run-concurrently.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { miscounted, slotIn } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code, body.error.message];

test('the response has what the payment sheet needs, and the provider has an intent for exactly this order', async () => {
  const { status, body } = await customer(running).create(store, { tip_pence: 60, order_type: 'collect', collection_mode: 'now' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 700, currency: 'GBP' });
  expect(body.client_secret).toMatch(/^pi_.+_secret_/);
  expect(body.ephemeral_key).toMatch(/^ek_/);
  expect(body.order_number).toMatch(/^S1-\d+$/);
  expect(running.payments.books().intents.find(({ id }) => id === body.payment_intent_id)).toMatchObject({
    amount: 700,
    currency: 'gbp',
    // 5 percent of 640: the fee is not taken from the tip.
    application_fee_amount: 32,
    transfer_data: { destination: store.account },
    metadata: { order_id: body.order_id, store_id: store.id },
  });
});

test('an order that costs nothing is paid at once and requires no payment', async () => {
  const { body } = await customer(running).create(store, { items: [{ menu_item_id: 'sample', quantity: 1 }] });
  expect(body).toMatchObject({ status: 'paid', requires_payment: false, client_secret: null, payment_intent_id: null, amount_pence: 0 });
});

test.each([
  ['idempotency_key', { idempotency_key: 'no uuid' }],
  ['items', { items: [] }],
  ['quantity', { items: [{ menu_item_id: 'croissant', quantity: 100 }] }],
  ['quantity', { items: [{ menu_item_id: 'croissant', quantity: 0 }] }],
  ['tip_pence', { tip_pence: -1 }],
  ['table_number', { fulfilment: { mode: 'table' } }],
  ['table_number', { fulfilment: { mode: 'table', table_number: '7\u001b@' } }],
  ['table_number', { fulfilment: { mode: 'table', table_number: '7\n8' } }],
  ['store_id', { store_id: 'S1' }],
])('invalid input names its field: %s', async (field, request) => {
  const { status, body } = await customer(running).create(store, request);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.error.message).toContain(field);
});

describe('a request is refused with', () => {
  const closed = { hours: [{ day: 1, opens: '09:00', closes: '09:00' }] };
  test.each([
    [404, 'STORE_NOT_FOUND', {}, { store_id: '0190a000-0000-7000-8000-00000000dead' }],
    [400, 'STORE_CODE_MISMATCH', {}, { store_code: 'S2' }],
    [409, 'STORE_NOT_ACCEPTING_ORDERS', { status: 'dark' as const }, {}],
    [409, 'STORE_NOT_ACCEPTING_ORDERS', { connected_account_id: null }, {}],
    [422, 'ITEM_NOT_FOUND', {}, { items: [{ menu_item_id: 'sold-out', quantity: 1 }] }],
    [422, 'ITEM_NOT_FOUND', {}, { items: [{ menu_item_id: 'unheard-of', quantity: 1 }] }],
    [409, 'OUT_OF_STOCK', {}, { items: [{ menu_item_id: 'last-cake', quantity: 2 }] }],
    [422, 'AMOUNT_BELOW_MINIMUM', {}, { items: [{ menu_item_id: 'sweet', quantity: 1 }] }],
  ])('%i %s', async (status, code, snapshot, request) => {
    const own = await running.openStore(snapshot);
    const response = await customer(running).create(own, request);
    expect([response.status, response.body.error?.code]).toEqual([status, code]);
    expect(await ordersOf(running, own.id)).toBe(0);
    expect(await takenOf(running, own.id)).toBe(0);
  });

  test('409 STORE_CLOSED outside its hours', async () => {
    const today = ((running.clock.now().getUTCDay() + 6) % 7) + 1;
    const own = await running.openStore({
      time_zone: 'UTC',
      hours: [{ ...closed.hours[0], day: ((today + 2) % 7) + 1, opens: '09:00', closes: '10:00' }],
    });

    const { status, body } = await customer(running).create(own);
    expect([status, body.error?.code]).toEqual([409, 'STORE_CLOSED']);
  });

  test('403 FORBIDDEN_CALLER for a caller who is not a customer', async () => {
    const { status, body } = await worker(running, store).call('POST', '/api/v1/orders', basketOf(store));
    expect([status, body.error.code]).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('a repeated create with the same key', () => {
  test('returns the same order and intent, fifty times at once', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    const request = { idempotency_key: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, request)));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body);
    expect(await ordersOf(running, own.id)).toBe(1);
    const intents = running.payments.books().intents.filter(({ metadata }) => metadata.store_id === own.id);
    expect(intents.map(({ id }) => id)).toEqual([responses[0]?.body.payment_intent_id]);
  });

  test('returns it also when an absent field is sent as null', async () => {
    const ada = customer(running);
    const request = { idempotency_key: randomUUID() };
    const first = await ada.create(store, request);
    const { status, body, headers } = await ada.create(store, { ...request, tip_pence: null, voucher_id: null, promo_code: null });
    expect([status, body.order_id]).toEqual([200, first.body.order_id]);
    expect([first.headers.get('idempotent-replayed'), headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  });

  test('takes a field that is null for one that is absent, and any other value for another request', async () => {
    const ana = customer(running);
    const request = basketOf(store, { tip_pence: null, promo_code: null, fulfilment: { mode: 'counter', table_number: null } });
    const send = (body: object) => ana.call('POST', '/api/v1/orders', body);
    const { body: first } = await send(request);
    const { tip_pence: _tip, promo_code: _code, ...shorter } = request as Record<string, unknown>;
    const { status, body: again } = await send({ ...shorter, fulfilment: { mode: 'counter' }, voucher_id: null });
    expect([status, again.order_id]).toEqual([200, first.order_id]);
    const { body: other } = await send({ ...shorter, fulfilment: { mode: 'counter' }, tip_pence: 0 });
    expect(other.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('is refused when the body differs', async () => {
    const ada = customer(running);
    const request = { idempotency_key: randomUUID() };
    await ada.create(store, request);
    const { status, body, headers } = await ada.create(store, { ...request, tip_pence: 50 });
    expect([status, body.error.code, headers.get('idempotent-replayed')]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED', null]);
  });

  test('the same key from another customer places another order', async () => {
    const request = { idempotency_key: randomUUID() };
    const [one, other] = [await customer(running).create(store, request), await customer(running).create(store, request)];
    expect(other.body.order_id).not.toBe(one.body.order_id);
  });

  test('places and pays one free order, fifty times at once', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    const request = { idempotency_key: randomUUID(), items: [{ menu_item_id: 'sample', quantity: 1 }] };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, request)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id} ${body.status}`))).toEqual(
      new Set([`200 ${responses[0]?.body.order_id} paid`]),
    );
    expect(await ordersOf(running, own.id)).toBe(1);
  });
});

test('fifty concurrent creates with one key for the last item all return the order that got it', async () => {
  const own = await running.openStore();
  const ada = customer(running);
  const request = { idempotency_key: randomUUID(), items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
  const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, request)));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`))).toEqual(
    new Set([`200 ${responses[0]?.body.order_id}`]),
  );
  expect(await takenOf(running, own.id)).toBe(1);
});

test('a first create sends two statements before it calls the provider: reading the checkout data, and writing the order', async () => {
  running.statements.length = 0;
  await customer(running).create(store);
  const untilIntent = running.statements.slice(
    0,
    running.statements.findIndex((statement) => statement.includes('payment_intent_id =')),
  );
  expect(untilIntent).toEqual([expect.stringContaining('menu_item'), expect.stringContaining('insert into orders')]);
});

test('of fifty customers for the last item one gets it and 49 receive OUT_OF_STOCK', async () => {
  const own = await running.openStore();
  const request = { items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
  const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(own, request)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status, body }) => status === 409 && body.error.code === 'OUT_OF_STOCK')).toHaveLength(49);
  expect(await ordersOf(running, own.id)).toBe(1);
  expect(await takenOf(running, own.id)).toBe(1);
});

const place = async (request: Record<string, unknown>): Promise<string> => (await customer(running).create(store, request)).body.order_id;
const hashOf = (orderId: string) =>
  running.service.database.oneFirst(
    sql.type(z.object({ hash: z.string().nullable() }))`select encode(device_hash, 'hex') as hash from orders where id = ${orderId}`,
  );

test('of a device only a keyed hash is kept, the same for each of its orders and for nothing else', async () => {
  const device_fingerprint = 'ios/18.1 3F2504E0-4F89';
  const hash = await hashOf(await place({ device_fingerprint }));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashOf(await place({ device_fingerprint }))).toBe(hash);
  expect(await hashOf(await place({ device_fingerprint: `${device_fingerprint}0` }))).not.toBe(hash);
  expect(await hashOf(await place({}))).toBeNull();
  const stored = await running.service.database.oneFirst(sql.type(z.object({ found: z.number() }))`
    select count(*)::integer as found from (
      select to_jsonb(o)::text as row from orders o union all select to_jsonb(l)::text from log_entry l union all select to_jsonb(e)::text from outbox e
    ) stored where row like ${`%${device_fingerprint}%`}`);
  expect(stored).toBe(0);
});

describe('in a currency', () => {
  const promo = () => ({ id: randomUUID(), code: 'THIRD', kind: 'percent' as const, value: 33 });
  const openIn = (currency: string, price_pence: number) =>
    running.openStore({ currency }, [{ id: 'tea', name: 'Tea', price_pence }], [], [promo()]);
  const tea = (quantity: number) => ({ items: [{ menu_item_id: 'tea', quantity }] });
  const intentOf = (order: ApiResponse['body']) => running.payments.books().intents.find(({ id }) => id === order.payment_intent_id);

  test.each([
    ['USD', 40, 50, 'The total is US$0.40; a card can be charged at least US$0.50.'],
    ['JPY', 49, 50, 'The total is JP¥49; a card can be charged at least JP¥50.'],
    ['DKK', 240, 250, 'The total is DKK\u00a02.40; a card can be charged at least DKK\u00a02.50.'],
    ['HUF', 17_400, 17_500, 'The total is HUF\u00a0174; a card can be charged at least HUF\u00a0175.'],
  ])('in %s a total of %i is below the currency’s own minimum, and %i is not', async (currency, below, minimum, message) => {
    const few = await openIn(currency, below);
    expect(refusal(await customer(running).create(few, tea(1)))).toEqual([422, 'AMOUNT_BELOW_MINIMUM', message]);
    const enough = await openIn(currency, minimum);
    const { status, body } = await customer(running).create(enough, tea(1));
    expect([status, body.amount_pence, body.currency]).toEqual([200, minimum, currency]);
  });

  test.each([
    ['JPY', 515, 1_035, 52],
    ['KWD', 1_250, 2_510, 130],
    ['ISK', 49_900, 100_300, 5_000],
  ])('in %s a discount and the fee are rounded to what can be charged, and refunded in full', async (currency, price, total, fee) => {
    const store = await openIn(currency, price);
    const ada = customer(running);
    const { status, body: order } = await ada.create(store, { ...tea(3), promo_code: 'third' });
    expect([status, order.amount_pence]).toEqual([200, total]);
    expect(intentOf(order)).toMatchObject({ amount: total, currency: currency.toLowerCase(), application_fee_amount: fee });
    expect((await ada.payAndConfirm(store, order)).status).toBe(200);
    expect((await worker(running, store).refund(order.order_id)).body.refund).toMatchObject({ amount: total, status: 'succeeded' });
  });

  test('the legs of a mixed basket in a currency with three decimals have shares that can be refunded', async () => {
    const store = await openIn('BHD', 1_250);
    const group = (role: 'now' | 'collect', quantity: number) => ({ role, ...tea(quantity) });
    const groups = [group('now', 1), group('collect', 1), group('collect', 2)];
    const ada = customer(running);
    const { body: order } = await ada.create(store, { items: [], fulfilment_groups: groups, promo_code: 'THIRD' });
    expect(order.amount_pence).toBe(3_350);
    const { body: paid } = await ada.payAndConfirm(store, order);
    expect(paid.children.map(({ total_pence }: { total_pence: number }) => total_pence)).toEqual([840, 1_670]);
    for (const { order_id, total_pence } of paid.children) {
      const { body } = await worker(running, store).refund(order_id, { refund_attempt_id: randomUUID() });
      expect(body.refund).toMatchObject({ amount: total_pence, status: 'succeeded' });
    }
  });

  test('where only the provider knows the minimum, its refusal is the same problem, and what the order held is free again', async () => {
    const items = [{ id: 'tea', name: 'Tea', price_pence: 5, stock: 1 }];
    const store = await running.openStore({ currency: 'TWD' }, items);
    for (const _ of [1, 2])
      expect(refusal(await customer(running).create(store, tea(1))).slice(0, 2)).toEqual([422, 'AMOUNT_BELOW_MINIMUM']);
  });

  test('a refund that cannot be made in the currency is refused before anything is reserved', async () => {
    const store = await openIn('KWD', 1_250);
    const { order_id } = await customer(running).paid(store, tea(1));
    const message = 'amount_pence: must be a multiple of 10, because the currency is KWD.';
    const staff = worker(running, store);
    expect(refusal(await staff.refund(order_id, { amount_pence: 255 }))).toEqual([400, 'VALIDATION_FAILED', message]);
    expect((await staff.refund(order_id, { amount_pence: 250 })).body.refund).toMatchObject({ amount: 250, status: 'succeeded' });
  });

  test('a tip that cannot be charged is refused, naming it', async () => {
    const store = await openIn('KWD', 1_250);
    const message = 'tip_pence: must be a multiple of 10, because the currency is KWD.';
    expect(refusal(await customer(running).create(store, { ...tea(1), tip_pence: 55 }))).toEqual([400, 'VALIDATION_FAILED', message]);
  });
});

describe('while the store takes no orders', () => {
  const at = (minutes: number) => new Date(running.clock.now().getTime() + minutes * 60_000).toISOString();
  const written = (instant: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(new Date(instant));
  const collect = (slot: { id: string }) => ({ collection_mode: 'scheduled', slot_id: slot.id });

  test('a paused store takes no order of any kind until then, and says until when', async () => {
    const slot = slotIn(running, 120);
    const paused_until = at(30);
    const store = await running.openStore({ paused_until }, menu, [slot]);
    const message = `The store takes no orders until ${written(paused_until)}.`;
    for (const request of [{}, { order_type: 'collect' }, collect(slot)])
      expect(refusal(await customer(running).create(store, request))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS', message]);
    running.clock.advance({ minutes: 30 });
    expect((await customer(running).create(store)).status).toBe(200);
  });

  test('a closed store makes nothing at once, but takes orders for slots after it has opened again', async () => {
    const [during, overlapping, after] = [slotIn(running, 15), slotIn(running, 50), slotIn(running, 60)];
    const closure = { starts_at: at(-60), ends_at: at(60) };
    const store = await running.openStore({ closures: [closure] }, menu, [during, overlapping, after]);
    const until = written(closure.ends_at);
    for (const request of [{}, { order_type: 'collect' }])
      expect(refusal(await customer(running).create(store, request))).toEqual([409, 'STORE_CLOSED', `The store is closed until ${until}.`]);
    for (const request of [collect(during), collect(overlapping), { requested_collection_at: during.starts_at }]) {
      const message = `The store is closed then, until ${until}.`;
      expect(refusal(await customer(running).create(store, request))).toEqual([409, 'SLOT_CLOSED', message]);
    }
    expect((await customer(running).create(store, collect(after))).status).toBe(200);
    running.clock.advance({ minutes: 60 });
    expect((await customer(running).create(store)).status).toBe(200);
  });

  test('an order is not moved to an earlier slot within a closure', async () => {
    const [closed, open, booked] = [slotIn(running, 30), slotIn(running, 60), slotIn(running, 180)];
    const closures = [{ starts_at: at(30), ends_at: at(45) }];
    const store = await running.openStore({ closures }, menu, [closed, open, booked]);
    const ana = customer(running);
    const { order_id } = await ana.paid(store, collect(booked));
    for (const status of ['preparing', 'ready']) await worker(running, store).advance(order_id, status);
    const move = (slot: { id: string }) =>
      ana.call('POST', '/api/v1/orders/collect-earlier', { store_id: store.id, order_id, slot_id: slot.id });
    expect(refusal(await move(closed)).slice(0, 2)).toEqual([409, 'SLOT_CLOSED']);
    expect((await move(open)).status).toBe(200);
  });
});

describe('at once', () => {
  const goods = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, price_pence: 300, stock: 40 }));

  test('a menu that waits for an item it retires has locked none that come after it, like an order that takes several', async () => {
    const store = await running.openStore({}, goods);
    const { database } = running.service;
    const lock = (tx: Transaction, id: string) =>
      tx.query(sql.type(z.object({}))`select from menu_item where store_id = ${store.id} and id = ${id} for update nowait`);
    const withoutA = directoryMenu.data.parse({ version: 2, store_id: store.id, items: goods.slice(1), promos: [] });
    const { saved } = await database.transaction(async (tx) => {
      await lock(tx, 'a');
      const started = database.transaction((other) => saveMenu(other, withoutA));
      const isAwaited = () =>
        tx.oneFirst(sql.type(z.object({ awaited: z.boolean() }))`
          select exists (select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as awaited`);
      await until(isAwaited, { describe: 'the menu to wait for the item' });
      for (const { id } of goods.slice(1)) await lock(tx, id);
      return { saved: started };
    });
    expect(await saved).toEqual([]);
  });

  test('concurrent mixed orders, cancellations, refunds, expiries and snapshots all succeed, and every count matches its holds', async () => {
    const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
    const slots = [2, 3, 4].map((hour) => ({ id: randomUUID(), starts_at: at(hour), ends_at: at(hour + 1), capacity: 25 }));
    const promos = [{ id: randomUUID(), code: 'SPRING', kind: 'percent' as const, value: 10, max_uses: 30 }];
    const store = await running.openStore({}, goods, slots, promos);
    const ben = worker(running, store);
    const responses: ApiResponse[] = [];
    const checked = (response: ApiResponse) => {
      responses.push(response);
      return response;
    };

    const group = (draw: Draw) => ({
      role: 'collect',
      items: Array.from({ length: draw(1, 3) }, () => ({ menu_item_id: goods[draw(0, 3)]?.id, quantity: draw(1, 2) })),
      slot_id: slots[draw(0, 2)]?.id,
    });

    const live = async (draw: Draw) => {
      const ada = customer(running);
      const request = {
        items: [],
        fulfilment_groups: Array.from({ length: draw(1, 3) }, () => group(draw)),
        promo_code: draw(0, 1) ? 'SPRING' : null,
      };
      const { status, body } = checked(await ada.create(store, request));
      if (status !== 200) return;
      if (draw(0, 1)) {
        checked(await ada.payAndConfirm(store, body));
        if (draw(0, 1)) checked(await ben.refund(body.order_id));
      }
      const cancel = { store_id: store.id, status: 'cancelled' };
      if (draw(0, 1)) checked(await ben.call('PATCH', `/api/v1/orders/${body.order_id}/status`, cancel));
    };
    const saveSnapshots = async (version: number) =>
      await running.service.database.transaction(async (tx) => {
        const snapshot = { version, store_id: store.id };
        await saveSlots(tx, directorySlots.data.parse({ ...snapshot, slots: slots.map((slot) => ({ ...slot, capacity: 10 + version })) }));
        await saveMenu(tx, directoryMenu.data.parse({ ...snapshot, items: goods, promos }));
      });

    await Promise.all([...[...randomly(60)].map(live), ...[2, 3, 4, 5].map(saveSnapshots)]);
    expect(responses.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
    expect(await miscounted(running)).toEqual([]);
    await Promise.all([expireOverdue(running), ...[6, 7].map(saveSnapshots)]);
    expect(await miscounted(running)).toEqual([]);
  });
});
