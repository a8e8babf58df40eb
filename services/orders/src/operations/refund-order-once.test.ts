import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../jobs/reconcile-payments.ts';
import { worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
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

test('the same attempt with another amount is refused, and without an amount returns the first refund', async () => {
  const order = await paidOrder(running, store);
  const attempt = randomUUID();
  const { body } = await order.refund(150, attempt);
  expect(outcomeOf(await order.refund(151, attempt))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect((await order.refund(undefined, attempt)).body).toEqual(body);
  expect(order.atProvider()).toHaveLength(1);
});

test('a repeat without an attempt id never refunds twice', async () => {
  const order = await paidOrder(running, store);
  const staff = worker(running, store);
  const first = await staff.refund(order.id, { amount_pence: 100 });
  expect((await staff.refund(order.id, { amount_pence: 100 })).body).toEqual(first.body);
  expect(outcomeOf(await staff.refund(order.id, { amount_pence: 101 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(order.atProvider()).toHaveLength(1);
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
