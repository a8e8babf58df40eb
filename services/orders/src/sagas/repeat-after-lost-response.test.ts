import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../jobs/reconcile-payments.ts';
import { basketOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, takenOf } from '../testing/rows.ts';
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

const postUnder = (key: string) => running.payments.books().posts.filter((post) => post.key.includes(key));
const intentsOf = (orderId: string) => running.payments.books().intents.filter(({ metadata }) => metadata.order_id === orderId);
const refundsOf = (intentId: string) => running.payments.books().refunds.filter(({ payment_intent }) => payment_intent === intentId);

test('when two responses to creating an intent are lost, the third attempt finds the same intent', async () => {
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/payment_intents', times: 2 });
  const { status, body } = await customer(running).create(store);
  expect(status).toBe(200);
  expect(intentsOf(body.order_id).map(({ id }) => id)).toEqual([body.payment_intent_id]);
  expect(postUnder(body.order_id).filter(({ path }) => path.endsWith('payment_intents'))).toEqual([
    { key: `pi:${body.order_id}`, path: '/v1/payment_intents', received: 3, executed: 1 },
  ]);
});

test('when every response to creating an intent is lost, the request fails and a repeat finds the same intent', async () => {
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/payment_intents', times: 3 });
  const ada = customer(running);
  const basket = basketOf(store);
  const lost = await ada.call('POST', '/api/v1/orders', basket);
  expect([lost.status, lost.body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  const { status, body } = await ada.call('POST', '/api/v1/orders', basket);
  expect(status).toBe(200);
  expect(intentsOf(body.order_id).map(({ id }) => id)).toEqual([body.payment_intent_id]);
  expect(postUnder(`pi:${body.order_id}`)).toMatchObject([{ received: 4, executed: 1 }]);
});

test('an intent that the provider declines cancels the order, releases its stock and returns PAYMENT_PROVIDER_ERROR', async () => {
  const own = await running.openStore({ connected_account_id: 'acct_nobody_knows' });
  const request = basketOf(own, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
  const ada = customer(running);
  const { status, body } = await ada.call('POST', '/api/v1/orders', request);
  expect([status, body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  expect(await takenOf(running, own.id)).toBe(0);
  const again = await ada.call('POST', '/api/v1/orders', request);
  expect(again.body).toMatchObject({ status: 'cancelled', requires_payment: false });
});

test('when every response to a refund is lost it stays pending, and the reconciling job settles it under the same key', async () => {
  const attempt = randomUUID();
  const order = await customer(running).paid(store);
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
  const { status, body } = await worker(running, store).refund(order.order_id, { amount_pence: 200, refund_attempt_id: attempt });
  expect([status, body.refund.status]).toEqual([200, 'pending']);
  expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
  running.clock.advance({ seconds: 60 });
  await reconcilePayments(running.service.context);
  expect(refundsOf(order.payment_intent_id)).toMatchObject([{ amount: 200 }]);
  expect(postUnder(`refund:${order.order_id}`)).toMatchObject([{ key: `refund:${order.order_id}:${attempt}`, executed: 1 }]);
  expect(await ledgerOf(running, order.order_id)).toMatchObject([{ amount_pence: 640 }, { kind: 'refund', amount_pence: -200 }]);
  expect((await eventsOf(running, order.order_id)).filter(({ type }) => type === 'order.refunded')).toHaveLength(1);
  const repeat = await worker(running, store).refund(order.order_id, { amount_pence: 200, refund_attempt_id: attempt });
  expect(repeat.body.refund).toMatchObject({ status: 'succeeded', amount: 200 });
});

test('a refund whose response was lost is found again after the provider has forgotten its key', async () => {
  const order = await customer(running).paid(store);
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
  expect((await worker(running, store).refund(order.order_id, { amount_pence: 200 })).body.refund.status).toBe('pending');
  running.clock.advance({ hours: 25 });
  await reconcilePayments(running.service.context);
  expect(refundsOf(order.payment_intent_id)).toMatchObject([{ amount: 200 }]);
  expect(await ledgerOf(running, order.order_id)).toHaveLength(2);
});

test('a refund that the provider declines is REFUND_REJECTED, and another attempt may use its amount', async () => {
  const order = await customer(running).paid(store);
  running.payments.controls.dashboardRefund(order.payment_intent_id, 640);
  const { status, body } = await worker(running, store).refund(order.order_id);
  expect([status, body.error?.code]).toEqual([502, 'REFUND_REJECTED']);
  expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
});
