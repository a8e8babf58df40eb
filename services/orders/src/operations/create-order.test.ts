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

test('answers what the payment sheet needs, and the provider holds an intent for exactly this order', async () => {
  const { status, body } = await customer(running).create(store, { tip_pence: 60, order_type: 'collect', collection_mode: 'now' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 700, currency: 'GBP' });
  expect(body.client_secret).toMatch(/^pi_.+_secret_/);
  expect(body.ephemeral_key).toMatch(/^ek_/);
  expect(body.order_number).toMatch(/^S1-\d+$/);
  expect(running.payments.books().intents.find(({ id }) => id === body.payment_intent_id)).toMatchObject({
    amount: 700,
    currency: 'gbp',
    // 5 percent of 640: a tip is the store's own.
    application_fee_amount: 32,
    transfer_data: { destination: store.account },
    metadata: { order_id: body.order_id, store_id: store.id },
  });
});

test('an order that costs nothing is paid at once and asks for no payment', async () => {
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
])('bad input names its field: %s', async (field, wish) => {
  const { status, body } = await customer(running).create(store, wish);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.error.message).toContain(field);
});

describe('refuses', () => {
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
  ])('%i %s', async (status, code, snapshot, wish) => {
    const own = await running.openStore(snapshot);
    const answer = await customer(running).create(own, wish);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
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

  test('anyone but a customer', async () => {
    const { status, body } = await worker(running, store).call('POST', '/api/v1/orders', basketOf(store));
    expect([status, body.error.code]).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('twice is once', () => {
  test('fifty parallel creates with one key make one order and one intent, and answer the same', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    const wish = { idempotency_key: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, wish)));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body);
    expect(await ordersOf(running, own.id)).toBe(1);
    const intents = running.payments.books().intents.filter(({ metadata }) => metadata.store_id === own.id);
    expect(intents.map(({ id }) => id)).toEqual([responses[0]?.body.payment_intent_id]);
  });

  test('another wish under the same key is refused', async () => {
    const ada = customer(running);
    const wish = { idempotency_key: randomUUID() };
    await ada.create(store, wish);
    const { status, body } = await ada.create(store, { ...wish, tip_pence: 50 });
    expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('the same key of another customer is another order', async () => {
    const wish = { idempotency_key: randomUUID() };
    const [one, other] = [await customer(running).create(store, wish), await customer(running).create(store, wish)];
    expect(other.body.order_id).not.toBe(one.body.order_id);
  });

  test('fifty parallel creates of a free order with one key make one, paid once', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    const wish = { idempotency_key: randomUUID(), items: [{ menu_item_id: 'sample', quantity: 1 }] };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, wish)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id} ${body.status}`))).toEqual(
      new Set([`200 ${responses[0]?.body.order_id} paid`]),
    );
    expect(await ordersOf(running, own.id)).toBe(1);
  });
});

test('fifty parallel creates with one key of the last one all answer the order that got it', async () => {
  const own = await running.openStore();
  const ada = customer(running);
  const wish = { idempotency_key: randomUUID(), items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
  const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(own, wish)));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`))).toEqual(
    new Set([`200 ${responses[0]?.body.order_id}`]),
  );
  expect(await takenOf(running, own.id)).toBe(1);
});

test('before the provider is asked, a first create sends two statements: what it stands on, and the order whole', async () => {
  const ada = customer(running);
  const before = running.statements.length;
  await ada.create(store);
  const sent = running.statements.slice(before);
  const untilIntent = sent.slice(
    0,
    sent.findIndex((statement) => statement.includes('payment_intent_id =')),
  );
  const own = untilIntent.filter((statement) => !/insert into job|from provider_event|from outbox|relay_state/.test(statement));
  expect(own.map((statement) => /with wanted|menu_item/.test(statement))).toEqual([true, true]);
});

test('of fifty who want the last one, one gets it and the rest are told so', async () => {
  const own = await running.openStore();
  const wish = { items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
  const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(own, wish)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status, body }) => status === 409 && body.error.code === 'OUT_OF_STOCK')).toHaveLength(49);
  expect(await ordersOf(running, own.id)).toBe(1);
  expect(await takenOf(running, own.id)).toBe(1);
});
