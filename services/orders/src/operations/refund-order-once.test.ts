import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../jobs/reconcile-payments.ts';
import { customer, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('of two concurrent refunds that together exceed the sum one succeeds', async () => {
  const order = await paidOrder(running, store);
  const responses = await runConcurrently(
    running,
    order.id,
    () => order.refund(400),
    () => order.refund(400),
  );
  expect([...responses].map(outcomeOf).toSorted()).toEqual([
    [200, 400],
    [422, 'REFUND_AMOUNT_EXCEEDS_REMAINING'],
  ]);
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([400]);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -400],
  ]);
});

test('eight concurrent requests of one attempt make one refund, and each returns it', async () => {
  const order = await paidOrder(running, store);
  const attempt = randomUUID();
  const responses = await Promise.all(Array.from({ length: 8 }, () => order.refund(150, attempt)));
  expect(new Set(responses.map(outcomeOf).map(String))).toEqual(new Set(['200,150']));
  expect(new Set(responses.map(({ body }) => body.refund.id)).size).toBe(1);
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([150]);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -150],
  ]);
  expect(await order.published('order.refunded')).toHaveLength(1);
  expect(await order.logged('refund_succeeded')).toBe(1);
});

test('an attempt is repeated only for what it asked for: an amount, or all that remains', async () => {
  const reused = [422, 'IDEMPOTENCY_KEY_REUSED'];
  const order = await paidOrder(running, store);
  const [some, rest] = [randomUUID(), randomUUID()];
  const { body } = await order.refund(150, some);
  expect(outcomeOf(await order.refund(151, some))).toEqual(reused);
  expect(outcomeOf(await order.refund(undefined, some))).toEqual(reused);
  expect((await order.refund(150, some)).body).toEqual(body);
  const all = await order.refund(undefined, rest);
  expect(outcomeOf(all)).toEqual([200, 490]);
  expect((await order.refund(undefined, rest)).body).toEqual(all.body);
  expect(outcomeOf(await order.refund(490, rest))).toEqual(reused);
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([150, 490]);
  expect(await order.status()).toBe('refunded');
});

test('of a leg too, all is not the same as its amount', async () => {
  const groups = [
    { role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] },
    { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
  ];
  const order = await customer(running).paid(store, { items: [], fulfilment_groups: groups });
  const { body } = await worker(running, store).call('GET', `/api/v1/orders?store_id=${store.id}&limit=100`);
  const leg = body.orders.find((one: { parent_order_id: string }) => one.parent_order_id === order.order_id).id;
  const staff = worker(running, store);
  expect(outcomeOf(await staff.refund(leg))).toEqual([200, 350]);
  expect(outcomeOf(await staff.refund(leg))).toEqual([200, 350]);
  expect(outcomeOf(await staff.refund(leg, { amount_pence: 350 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(outcomeOf(await staff.refund(order.order_id))).toEqual([200, 290]);
});

test('a repeat without an attempt id never refunds twice', async () => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  const first = await staff.refund(order.id, { amount_pence: 100 });
  expect((await staff.refund(order.id, { amount_pence: 100 })).body).toEqual(first.body);
  expect(outcomeOf(await staff.refund(order.id, { amount_pence: 101 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(outcomeOf(await staff.refund(order.id))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(order.atProvider()).toHaveLength(1);
});

test('all without an attempt id is refunded once, however often it is repeated', async () => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  const responses = await Promise.all(Array.from({ length: 8 }, () => staff.refund(order.id)));
  expect(new Set(responses.map(outcomeOf).map(String))).toEqual(new Set(['200,640']));
  expect(order.atProvider()).toHaveLength(1);
});

test.each([
  ['without a key', {}],
  ['with one key', { 'Idempotency-Key': randomUUID() }],
])('after the provider declined a refund, a request without an attempt id is a new attempt, %s', async (_name, headers) => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  // The charge has nothing left, and no event said so.
  const taken = running.payments.controls.dashboardRefund(order.intent);
  for (const _ of [1, 2]) expect(outcomeOf(await staff.refund(order.id, {}, headers))).toEqual([502, 'REFUND_REJECTED']);
  const attempt = randomUUID();
  expect(outcomeOf(await order.refund(undefined, attempt))).toEqual([502, 'REFUND_REJECTED']);
  running.payments.controls.failRefund(taken.id);
  expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, headers))).toEqual([200, 100]);
  expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, headers))).toEqual([200, 100]);
  // An attempt with an id of its own stays declined.
  expect(outcomeOf(await order.refund(undefined, attempt))).toEqual([502, 'REFUND_REJECTED']);
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([640, 100]);
  expect(await order.logged('refund_failed')).toBe(3);
});

test('after a refund failed days later, a request without an attempt id is a new attempt', async () => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  const { body } = await staff.refund(order.id);
  running.payments.controls.failRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.failed');
  const again = await staff.refund(order.id);
  expect(outcomeOf(again)).toEqual([200, 640]);
  expect((await staff.refund(order.id)).body).toEqual(again.body);
  expect(order.atProvider().map(({ status }) => status)).toEqual(['failed', 'succeeded']);
});

test('a key of 255 characters names an attempt too', async () => {
  const order = await paidOrder(running, store);
  const headers = { 'Idempotency-Key': 'k'.repeat(255) };
  expect((await worker(running, store).refund(order.id, { amount_pence: 100 }, headers)).body.refund.status).toBe('succeeded');
});

test('the Idempotency-Key names the attempt when the body does not', async () => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  const [one, two] = [randomUUID(), randomUUID()];
  for (const key of [one, two, one]) {
    expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, { 'Idempotency-Key': key }))).toEqual([200, 100]);
  }
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([100, 100]);
});

test('without a response of the provider the refund stays pending and reserved, and is settled later under the same key', async () => {
  const order = await paidOrder(running, store);
  const attempt = randomUUID();
  running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
  expect((await order.refund(400, attempt)).body.refund).toMatchObject({ status: 'pending', amount: 400 });
  expect(order.atProvider()).toEqual([]);
  expect(await order.ledger()).toEqual([['charge', 640]]);
  expect(outcomeOf(await order.refund(300))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  running.clock.advance({ minutes: 1 });
  await Promise.all([reconcilePayments(running.service.context), reconcilePayments(running.service.context)]);
  expect(order.atProvider().map(({ amount }) => amount)).toEqual([400]);
  const keys = running.payments.books().posts.filter(({ key }) => key.startsWith(`refund:${order.id}`));
  expect(keys.map(({ key }) => key)).toEqual([`refund:${order.id}:${attempt}`]);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -400],
  ]);
  expect((await order.refund(400, attempt)).body.refund).toMatchObject({ status: 'succeeded', amount: 400 });
  expect(await order.published('order.refunded')).toHaveLength(1);
});
