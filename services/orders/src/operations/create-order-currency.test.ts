import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code, body.error.message];
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

// A third off the three teas, and 5 percent of the rest as the platform's fee.
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
  await pay(running, order.payment_intent_id);
  expect((await ada.confirm(store, order.payment_intent_id)).status).toBe(200);
  expect((await worker(running, store).refund(order.order_id)).body.refund).toMatchObject({ amount: total, status: 'succeeded' });
});

test('the legs of a mixed basket in a currency with three decimals have shares that can be refunded', async () => {
  const store = await openIn('BHD', 1_250);
  const group = (role: 'now' | 'collect', quantity: number) => ({ role, ...tea(quantity) });
  const groups = [group('now', 1), group('collect', 1), group('collect', 2)];
  const ada = customer(running);
  const { body: order } = await ada.create(store, { items: [], fulfilment_groups: groups, promo_code: 'THIRD' });
  expect(order.amount_pence).toBe(3_350);
  await pay(running, order.payment_intent_id);
  const { body: paid } = await ada.confirm(store, order.payment_intent_id);
  expect(paid.children.map(({ total_pence }: { total_pence: number }) => total_pence)).toEqual([840, 1_670]);
  for (const { order_id, total_pence } of paid.children) {
    const { body } = await worker(running, store).refund(order_id, { refund_attempt_id: randomUUID() });
    expect(body.refund).toMatchObject({ amount: total_pence, status: 'succeeded' });
  }
});

test('where only the provider knows the minimum, its refusal is the same problem, and what the order held is free again', async () => {
  const items = [{ id: 'tea', name: 'Tea', price_pence: 5, stock: 1 }];
  const store = await running.openStore({ currency: 'TWD' }, items);
  for (const _ of [1, 2]) expect(refusal(await customer(running).create(store, tea(1))).slice(0, 2)).toEqual([422, 'AMOUNT_BELOW_MINIMUM']);
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
