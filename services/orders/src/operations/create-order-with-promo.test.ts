import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { expireOverdue, usesOf } from '../testing/counts.ts';
import { eventsOf, ordersOf, takenOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { settleRefund } from '../transactions/settle-refund.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

type Promo = NonNullable<Parameters<Running['openStore']>[3]>[number];

/** Opens a store with one promo code, by default of ten percent. */
async function storeWith(request: Partial<Promo> = {}): Promise<OpenStore & { promoId: string }> {
  const promo: Promo = { id: randomUUID(), code: 'Spring', kind: 'percent', value: 10, label: 'Spring', ...request };
  return { ...(await running.openStore({}, menu, [], [promo])), promoId: promo.id };
}
const days = (count: number) => new Date(running.clock.now().getTime() + count * 86_400_000).toISOString();
const outcomeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];
const spring = { promo_code: 'spring' };

test('a promo code is deducted and returned by confirm, whatever its case and surrounding blanks', async () => {
  const store = await storeWith();
  const ada = customer(running);
  const order = await ada.paid(store, { promo_code: '  sPrInG ', tip_pence: 60 });
  const { body } = await ada.confirm(store, order.payment_intent_id);
  expect(body).toMatchObject({ subtotal_pence: 640, promo_discount_pence: 64, total_pence: 636 });
  expect((await eventsOf(running, order.order_id))[0]?.data).toMatchObject({ promo_code: 'SPRING', net_of_tip_pence: 576 });
  const intent = running.payments.books().intents.find(({ id }) => id === order.payment_intent_id);
  // 5 percent of the discounted goods.
  expect([intent?.amount, intent?.application_fee_amount]).toEqual([636, 29]);
  expect(await usesOf(running, store.promoId)).toBe(1);
});

test.each([
  ['percent', 5, 'sweet', 9, 85], // 4.5 pence are 5
  ['percent', 5, 'sweet', 7, 66], // 3.5 pence are 4
  ['percent', 33, 'croissant', 1, 194], // 95.7 pence are 96
  ['amount', 200, 'croissant', 1, 90],
  ['amount', 5_000, 'croissant', 1, 0],
  ['percent', 100, 'croissant', 2, 0],
] as const)('%s %i of %s times %i comes to %i', async (kind, value, item, quantity, total) => {
  const store = await storeWith({ kind, value });
  const { body } = await customer(running).create(store, { ...spring, items: [{ menu_item_id: item, quantity }] });
  expect(body).toMatchObject({ amount_pence: total, status: total === 0 ? 'paid' : 'pending_payment', requires_payment: total > 0 });
});

describe('a refused request takes nothing', () => {
  const cakes = (quantity: number) => ({ items: [{ menu_item_id: 'last-cake', quantity }] });
  test.each([
    [422, 'PROMO_INVALID', {}, { promo_code: 'autumn' }],
    [422, 'PROMO_INVALID', { active: false }, spring],
    [422, 'PROMO_EXPIRED', { ends_at: () => days(0) }, spring],
    [422, 'PROMO_EXPIRED', { starts_at: () => days(1) }, spring],
    [422, 'PROMO_NOT_APPLICABLE', { min_subtotal_pence: 501 }, { ...spring, tip_pence: 500 }],
    [422, 'PROMO_NOT_APPLICABLE', { value: 1 }, { ...spring, items: [{ menu_item_id: 'sweet', quantity: 4 }], tip_pence: 100 }],
    [422, 'AMOUNT_BELOW_MINIMUM', { kind: 'amount', value: 471 }, spring],
    [409, 'OUT_OF_STOCK', {}, { ...spring, ...cakes(2) }],
    [400, 'VALIDATION_FAILED', {}, { promo_code: ' ' }],
  ] as const)('%i %s, case %#', async (status, code, request, ask) => {
    const made = Object.fromEntries(Object.entries(request).map(([key, value]) => [key, typeof value === 'function' ? value() : value]));
    const store = await storeWith(made);
    const response = await customer(running).create(store, { ...cakes(1), ...ask });
    expect(outcomeOf(response)).toEqual([status, code]);
    if (status === 400 || code === 'PROMO_NOT_APPLICABLE') expect(response.body.error.message).toContain('promo_code');
    const left = [await ordersOf(running, store.id), await usesOf(running, store.promoId), await takenOf(running, store.id)];
    expect(left).toEqual([0, 0, 0]);
  });

  test('a code of another store is PROMO_INVALID', async () => {
    await storeWith();
    expect(outcomeOf(await customer(running).create(await running.openStore(), spring))).toEqual([422, 'PROMO_INVALID']);
  });
});

test('a code is valid at exactly its minimum subtotal and from its first instant', async () => {
  const store = await storeWith({ min_subtotal_pence: 640, starts_at: days(0), ends_at: days(1) });
  expect(outcomeOf(await customer(running).create(store, spring))).toEqual([200, undefined]);
});

test('of fifty customers with a code for seven orders, seven get it and 43 receive PROMO_LIMIT_REACHED', async () => {
  const store = await storeWith({ max_uses: 7 });
  const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(store, spring)));
  const count = (code: string) => responses.filter((response) => outcomeOf(response).join(' ') === code).length;
  expect([count('200 '), count('409 PROMO_LIMIT_REACHED')]).toEqual([7, 43]);
  expect([await usesOf(running, store.promoId), await ordersOf(running, store.id)]).toEqual([7, 7]);
});

test.each([
  ['twice a customer', { max_per_customer: 2 }, 2],
  ['on a first order', { first_order_only: true }, 1],
])('a customer’s twenty concurrent orders use a code limited to %s as often as it allows', async (_name, request, most) => {
  const store = await storeWith(request);
  const ada = customer(running);
  const responses = await Promise.all(Array.from({ length: 20 }, () => ada.create(store, spring)));
  const count = (code: string) => responses.filter((response) => outcomeOf(response).join(' ') === code).length;
  expect([count('200 '), count('409 PROMO_LIMIT_REACHED')]).toEqual([most, 20 - most]);
  expect(await usesOf(running, store.promoId)).toBe(most);
  expect(outcomeOf(await customer(running).create(store, spring))).toEqual([200, undefined]);
});

test('fifty concurrent repeats of one key use a code once', async () => {
  const store = await storeWith({ max_per_customer: 1, max_uses: 1 });
  const ada = customer(running);
  const request = { ...spring, idempotency_key: randomUUID() };
  const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(store, request)));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`))).toEqual(
    new Set([`200 ${responses[0]?.body.order_id}`]),
  );
  expect(await usesOf(running, store.promoId)).toBe(1);
});

test('a code for first orders is refused after a paid order, and accepted before', async () => {
  const store = await storeWith({ first_order_only: true });
  const ada = customer(running);
  await ada.create(store);
  expect(outcomeOf(await ada.create(store, spring))).toEqual([200, undefined]);
  const ben = customer(running);
  await ben.paid(store);
  expect(outcomeOf(await ben.create(store, spring))).toEqual([422, 'PROMO_NOT_APPLICABLE']);
});

describe('the use of a code', () => {
  const once = { max_per_customer: 1 };
  const cancel = async (store: OpenStore, orderId: string) =>
    await worker(running, store).call('PATCH', `/api/v1/orders/${orderId}/status`, { store_id: store.id, status: 'cancelled' });

  test('is released once when the order expires', async () => {
    const store = await storeWith(once);
    const ada = customer(running);
    await ada.create(store, spring);
    await customer(running).paid(store, spring);
    expect(outcomeOf(await ada.create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
    await Promise.all([expireOverdue(running), expireOverdue(running)]);
    expect(await usesOf(running, store.promoId)).toBe(1);
    expect(outcomeOf(await ada.create(store, spring))).toEqual([200, undefined]);
  });

  test('is released once when the unpaid order is cancelled', async () => {
    const store = await storeWith(once);
    const ada = customer(running);
    const { body } = await ada.create(store, spring);
    await customer(running).paid(store, spring);
    await Promise.all([cancel(store, body.order_id), cancel(store, body.order_id), cancel(store, body.order_id)]);
    expect(await usesOf(running, store.promoId)).toBe(1);
    expect(outcomeOf(await ada.create(store, spring))).toEqual([200, undefined]);
  });

  test('stays taken for a cancelled paid order until all of it is refunded', async () => {
    const store = await storeWith(once);
    const ada = customer(running);
    const order = await ada.paid(store, spring);
    await customer(running).paid(store, spring);
    expect((await cancel(store, order.order_id)).status).toBe(200);
    expect(await usesOf(running, store.promoId)).toBe(2);
    const ben = worker(running, store);
    expect((await ben.refund(order.order_id, { amount_pence: 575, refund_attempt_id: randomUUID() })).status).toBe(200);
    expect(await usesOf(running, store.promoId)).toBe(2);
    expect(outcomeOf(await ada.create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
    const rest = { refund_attempt_id: randomUUID() };
    await Promise.all([1, 2, 3].map(() => ben.refund(order.order_id, rest)));
    expect(await usesOf(running, store.promoId)).toBe(1);
    expect(outcomeOf(await ada.create(store, spring))).toEqual([200, undefined]);
  });

  test('is taken again once, even beyond its limit, when the full refund fails later', async () => {
    const store = await storeWith({ max_uses: 1 });
    const order = await customer(running).paid(store, spring);
    const { body } = await worker(running, store).refund(order.order_id);
    expect(await usesOf(running, store.promoId)).toBe(0);
    const next = await customer(running).paid(store, spring);
    const ours = await running.service.database.one(sql.type(
      z.object({ id: z.string(), store_id: z.string(), payment_order_id: z.string() }),
    )`
      select id, store_id, payment_order_id from refund where provider_refund_id = ${body.refund.id}`);
    const fails = () => running.service.database.transaction((tx) => settleRefund(tx, ours, { id: body.refund.id, status: 'failed' }));
    await Promise.all([fails(), fails(), fails()]);
    expect(await usesOf(running, store.promoId)).toBe(2);
    expect(outcomeOf(await customer(running).create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
    expect((await worker(running, store).refund(next.order_id)).status).toBe(200);
    expect(await usesOf(running, store.promoId)).toBe(1);
    expect(outcomeOf(await customer(running).create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
  });
});
