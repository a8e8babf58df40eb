import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { basketOf, customer, worker } from '../testing/callers.ts';
import { ordersOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

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
    const { status, body } = await ada.create(store, { ...request, tip_pence: null, voucher_id: null, promo_code: null });
    expect([status, body.order_id]).toEqual([200, first.body.order_id]);
  });

  test('is refused when the body differs', async () => {
    const ada = customer(running);
    const request = { idempotency_key: randomUUID() };
    await ada.create(store, request);
    const { status, body } = await ada.create(store, { ...request, tip_pence: 50 });
    expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
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
