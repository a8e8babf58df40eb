import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { usesOf } from '../testing/counts.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;
let promoId: string;
let parent: string;
let intent: string;
let legs: string[];

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** A flat white now, and a croissant and a flat white as two legs, with a tip: 315 + 50, 261 and 315 pence of 941. */
beforeEach(async () => {
  promoId = randomUUID();
  store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'percent', value: 10 }]);
  const ada = customer(running);
  const group = (role: 'now' | 'collect', menu_item_id: string) => ({ role, items: [{ menu_item_id, quantity: 1 }] });
  const order = await ada.paid(store, {
    items: [],
    fulfilment_groups: [group('now', 'flat-white'), group('collect', 'croissant'), group('collect', 'flat-white')],
    promo_code: 'spring',
    tip_pence: 50,
  });
  const { body } = await ada.confirm(store, order.payment_intent_id);
  parent = order.order_id;
  intent = order.payment_intent_id;
  legs = body.children.map(({ order_id }: { order_id: string }) => order_id);
  expect([body.total_pence, ...body.children.map(({ total_pence }: { total_pence: number }) => total_pence)]).toEqual([941, 261, 315]);
});

const outcomeOf = ({ status, body }: ApiResponse) => [status, body.error?.code ?? body.refund.amount];
const refund = async (orderId: string, amount_pence?: number) =>
  outcomeOf(await worker(running, store).refund(orderId, { refund_attempt_id: randomUUID(), ...(amount_pence ? { amount_pence } : {}) }));
const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;
const refundedAtProvider = () =>
  running.payments
    .books()
    .refunds.filter(({ payment_intent }) => payment_intent === intent)
    .map(({ amount }) => amount);

test('a leg is refunded up to its own total from the payment of the whole order', async () => {
  const [one = '', two = ''] = legs;
  expect(await refund(one, 262)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(await refund(one, 200)).toEqual([200, 200]);
  expect(await refund(one, 62)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(await statusOf(one)).toBe('partially_refunded');
  expect(await refund(one)).toEqual([200, 61]);
  expect(await refund(one)).toEqual([409, 'ALREADY_REFUNDED']);
  expect(refundedAtProvider().toSorted()).toEqual([200, 61]);
  expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['partially_refunded', 'refunded', 'paid']);
  expect(await ledgerOf(running, parent)).toEqual([
    { kind: 'charge', amount_pence: 941 },
    { kind: 'refund', amount_pence: -200 },
    { kind: 'refund', amount_pence: -61 },
  ]);
  expect(await ledgerOf(running, one)).toEqual([]);
});

test('refunding the rest of the whole order refunds the rest of every leg', async () => {
  const [one = '', two = ''] = legs;
  expect(await refund(one)).toEqual([200, 261]);
  expect(await refund(parent, 681)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(await refund(parent)).toEqual([200, 680]);
  expect(await refund(two)).toEqual([409, 'ALREADY_REFUNDED']);
  expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['refunded', 'refunded', 'refunded']);
  expect(await usesOf(running, promoId)).toBe(0);
});

test('a leg cannot be refunded from what was refunded of the whole order already', async () => {
  const [, two = ''] = legs;
  expect(await refund(parent, 700)).toEqual([200, 700]);
  expect(await refund(two, 242)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(await refund(two)).toEqual([200, 241]);
  expect(await statusOf(parent)).toBe('refunded');
});

test('refunding the last leg makes the refund of the order full, published once', async () => {
  const [one = '', two = ''] = legs;
  expect(await refund(parent, 365)).toEqual([200, 365]);
  expect(await usesOf(running, promoId)).toBe(1);
  expect(await refund(one)).toEqual([200, 261]);
  expect(await refund(two)).toEqual([200, 315]);
  expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['refunded', 'refunded', 'refunded']);
  expect(await usesOf(running, promoId)).toBe(0);
  const published = (await eventsOf(running, parent)).filter(({ type }) => type === 'order.refunded').map(({ data }) => data);
  expect(published.map(({ cumulative_pence, paid_pence, full }) => [cumulative_pence, paid_pence, full])).toEqual([
    [365, 941, false],
    [626, 941, false],
    [941, 941, true],
  ]);
  for (const leg of legs) expect((await eventsOf(running, leg)).some(({ type }) => type === 'order.refunded')).toBe(false);
});

test('concurrent refunds of an order and its legs never exceed what was paid', async () => {
  const [one = '', two = ''] = legs;
  const requested = [parent, one, two, parent, one, two, parent, one, two, parent];
  const responses = await Promise.all(requested.map((orderId, n) => refund(orderId, n % 3 === 0 ? 300 : 150)));
  expect(responses.every(([status]) => status === 200 || status === 409 || status === 422)).toBe(true);
  const sum = refundedAtProvider().reduce((a, b) => a + b, 0);
  expect(sum).toBeLessThanOrEqual(941);
  const ledger = await ledgerOf(running, parent);
  expect(ledger.reduce((a, { amount_pence }) => a + amount_pence, 0)).toBe(941 - sum);
});
