import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { customer, pay, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { reconcilePayments } from './jobs.ts';

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

const reconcileLater = async (times = 1) => {
  running.clock.advance({ minutes: 1 });
  await Promise.all(Array.from({ length: times }, () => reconcilePayments(running.service.context)));
};
const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;
const typesOf = async (orderId: string) => (await eventsOf(running, orderId)).map(({ type }) => type);

async function unpaid() {
  const ada = customer(running);
  const { body } = await ada.create(store);
  return { ada, id: body.order_id as string, intent: body.payment_intent_id as string };
}

test('a payment whose webhook never arrives is found after the grace period', async () => {
  const { id, intent } = await unpaid();
  await pay(running, intent);
  // The order's created_at comes from the database's clock.
  running.clock.set(new Date().toISOString());
  running.clock.advance({ seconds: 15 });
  await reconcilePayments(running.service.context);
  expect(await statusOf(id)).toBe('pending_payment');
  await reconcileLater();
  expect(await statusOf(id)).toBe('paid');
  expect(await ledgerOf(running, id)).toEqual([{ kind: 'charge', amount_pence: 640 }]);
});

test('concurrent reconciling jobs, webhook and confirm write one charge and publish one event', async () => {
  const { ada, id, intent } = await unpaid();
  await pay(running, intent);
  await Promise.all([reconcileLater(3), ada.confirm(store, intent), publish(running, eventOf('payment_intent.succeeded', intent))]);
  await untilProcessed(running);
  expect(await ledgerOf(running, id)).toEqual([{ kind: 'charge', amount_pence: 640 }]);
  expect(await typesOf(id)).toEqual(['order.paid']);
  expect(await logOf(running, id)).toEqual(['placed', 'paid']);
});

test('an order whose payment has not succeeded stays unpaid, and a declined card is recorded', async () => {
  const [untouched, slow, declined] = [await unpaid(), await unpaid(), await unpaid()];
  await pay(running, slow.intent, 'pm_card_processing');
  await pay(running, declined.intent, 'pm_card_chargeDeclined');
  await reconcileLater();
  const statuses = await Promise.all([untouched, slow, declined].map(({ id }) => statusOf(id)));
  expect(statuses).toEqual(['pending_payment', 'pending_payment', 'payment_failed']);
  for (const { id } of [untouched, slow, declined]) expect(await ledgerOf(running, id)).toEqual([]);
});

test('a payment for which the provider is down does not block the others and is found at the next run', async () => {
  const [silent, other] = [await unpaid(), await unpaid()];
  await Promise.all([pay(running, silent.intent), pay(running, other.intent)]);
  running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: silent.intent, times: 50 });
  await reconcileLater();
  expect([await statusOf(silent.id), await statusOf(other.id)]).toEqual(['pending_payment', 'paid']);
  running.payments.controls.clearFaults();
  await reconcileLater();
  expect(await statusOf(silent.id)).toBe('paid');
});

test('a slow refund that fails without a webhook is found and taken back once', async () => {
  const order = await paidOrder(running, store, {}, 'pm_card_pendingRefund');
  const { body } = await order.refund(200);
  running.payments.controls.failRefund(body.refund.id);
  await reconcileLater(3);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -200],
    ['refund_failed', 200],
  ]);
  expect([await order.status(), await order.published('order.refund_failed')]).toMatchObject(['paid', [{ amount_pence: 200 }]]);
});

test('a refund that the provider finally declines is rejected, and its amount can be refunded again', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
  const attempt = randomUUID();
  expect((await order.refund(200, attempt)).body.refund.status).toBe('pending');
  running.payments.controls.clearFaults();
  running.payments.controls.openDispute(order.intent);
  await reconcileLater(3);
  expect((await order.refund(200, attempt)).body.error.code).toBe('REFUND_REJECTED');
  expect([await order.ledger(), await order.published('order.refunded')]).toEqual([[['charge', 640]], []]);
  // The store is notified because the API had returned `pending` for the refund.
  expect(await order.published('order.refund_failed')).toMatchObject([{ amount_pence: 200, was_accepted: false }]);
});

test('any number of open payments do not block the ones behind them', async () => {
  for (let n = 0; n < 101; n++) await unpaid();
  running.clock.advance({ seconds: 1 });
  const { id, intent } = await unpaid();
  await pay(running, intent);
  await reconcileLater();
  expect(await statusOf(id)).toBe('paid');
});
