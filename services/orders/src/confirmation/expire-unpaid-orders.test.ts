import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { customer, pay, worker } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { eventsOf, expireOverdue, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { expireUnpaidOrders } from './jobs.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const cake = { items: [{ menu_item_id: 'last-cake', quantity: 1 }] };

async function unpaid() {
  const ada = customer(running);
  const { body } = await ada.create(store, cake);
  return { ada, id: body.order_id as string, intent: body.payment_intent_id as string };
}

const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;
const intentStatus = (id: string) => running.payments.books().intents.find((intent) => intent.id === id)?.status;
const typesOf = async (orderId: string) => (await eventsOf(running, orderId)).map(({ type }) => type);
const cakesTaken = () => takenOf(running, store.id);

test('an order that is not paid in time expires: the intent is cancelled, the stock is released, and order.expired is published', async () => {
  const { id, intent } = await unpaid();
  running.clock.advance({ minutes: running.service.context.untriedHoldMinutes });
  await expireUnpaidOrders(running.service.context);
  expect([await statusOf(id), intentStatus(intent)]).toEqual(['pending_payment', 'requires_payment_method']);
  running.clock.advance({ seconds: 1 });
  await expireUnpaidOrders(running.service.context);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['expired', 'canceled', 0]);
  expect(await eventsOf(running, id)).toMatchObject([{ type: 'order.expired', data: { was_paid: false } }]);
  expect(await logOf(running, id)).toEqual(['placed', 'expired']);
  expect((await customer(running).create(store, cake)).status).toBe(200);
});

test('the intent can no longer be paid when the holds are released', async () => {
  const { id, intent } = await unpaid();
  const { context } = running.service;
  const seen: unknown[] = [];
  const cancelIntent: typeof context.payments.cancelIntent = async (intentId) => {
    const cancelled = await context.payments.cancelIntent(intentId);
    if (intentId === intent) seen.push([cancelled.status, await statusOf(id), await cakesTaken()]);
    return cancelled;
  };
  running.clock.advance({ minutes: context.holdMinutes + 1 });
  await expireUnpaidOrders({ ...context, payments: { ...context.payments, cancelIntent } });
  expect(seen).toEqual([['canceled', 'pending_payment', 1]]);
  expect(await cakesTaken()).toBe(0);
  expect((await pay(running, intent)).error).toBeDefined();
});

test('an order whose payment was declined expires too', async () => {
  const { ada, id, intent } = await unpaid();
  await pay(running, intent, 'pm_card_chargeDeclined');
  await ada.confirm(store, intent);
  expect(await statusOf(id)).toBe('payment_failed');
  await expireOverdue(running);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['expired', 'canceled', 0]);
});

test('an overdue order whose payment succeeded meanwhile is paid, even without a confirm', async () => {
  const { id, intent } = await unpaid();
  await pay(running, intent);
  await expireOverdue(running);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['paid', 'succeeded', 1]);
  expect(await ledgerOf(running, id)).toEqual([{ kind: 'charge', amount_pence: 500 }]);
  expect(await typesOf(id)).toEqual(['order.paid']);
});

test('an overdue order whose payment is being processed stays open until it is paid', async () => {
  const { id, intent } = await unpaid();
  await pay(running, intent, 'pm_card_processing');
  await expireOverdue(running);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['pending_payment', 'processing', 1]);
  running.payments.controls.settleIntent(intent, 'succeeded');
  await expireOverdue(running);
  expect(await statusOf(id)).toBe('paid');
});

test('an order that waits for a bank keeps its voucher reserved beyond the first reservation', async () => {
  await using loyalty = await startLoyalty(running);
  const voucher_id = randomUUID();
  loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
  const { body } = await customer(running).create(store, { ...cake, voucher_id });
  await pay(running, body.payment_intent_id, 'pm_card_processing');
  await expireOverdue(running);
  const [first, again] = loyalty.calls.filter((call) => call.voucher_id === voucher_id);
  expect(again).toMatchObject({ order_id: body.order_id });
  expect(Date.parse(again?.until ?? '')).toBeGreaterThan(Date.parse(first?.until ?? ''));
});

test('an overdue order whose payment fails in processing expires', async () => {
  const { id, intent } = await unpaid();
  await pay(running, intent, 'pm_card_processing');
  await expireOverdue(running);
  running.payments.controls.settleIntent(intent, 'failed');
  await expireOverdue(running);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['expired', 'canceled', 0]);
});

test.each(['lost_before', 'error_before'] as const)('while the provider is down (%s) no hold is released', async (how) => {
  const { id, intent } = await unpaid();
  running.payments.controls.failNext({ how, method: 'POST', path: `${intent}/cancel`, times: 20 });
  await expireOverdue(running);
  expect([await statusOf(id), intentStatus(intent), await cakesTaken()]).toEqual(['pending_payment', 'requires_payment_method', 1]);
  expect(await typesOf(id)).toEqual([]);
  running.payments.controls.clearFaults();
  await expireOverdue(running);
  expect([await statusOf(id), await cakesTaken()]).toEqual(['expired', 0]);
});

test('when the response to cancelling the intent is lost, the order still expires once', async () => {
  const { id, intent } = await unpaid();
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: `${intent}/cancel`, times: 20 });
  await expireOverdue(running);
  expect([intentStatus(intent), await statusOf(id), await cakesTaken()]).toEqual(['canceled', 'pending_payment', 1]);
  running.payments.controls.clearFaults();
  await expireOverdue(running);
  expect([await statusOf(id), await cakesTaken(), await typesOf(id)]).toEqual(['expired', 0, ['order.expired']]);
});

test('concurrent runs of the job and the provider’s events expire an order once', async () => {
  const { id, intent } = await unpaid();
  running.clock.advance({ minutes: running.service.context.holdMinutes + 1 });
  await Promise.all(Array.from({ length: 5 }, () => expireUnpaidOrders(running.service.context)));
  await sendEventsAbout(running, intent, 'payment_intent.canceled');
  expect([await statusOf(id), await cakesTaken(), await typesOf(id)]).toEqual(['expired', 0, ['order.expired']]);
  expect(await logOf(running, id)).toEqual(['placed', 'expired']);
});

test('paying, confirming and expiring at once leave the order paid with its stock or expired without', async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, () => customer(running).create(store)));
  const { context } = running.service;
  running.clock.advance({ minutes: context.holdMinutes + 1 });
  await Promise.all([
    expireUnpaidOrders(context),
    ...orders.map(({ body }) => pay(running, body.payment_intent_id)),
    expireUnpaidOrders(context),
  ]);
  await expireUnpaidOrders(context);
  for (const { body } of orders) {
    const paid = intentStatus(body.payment_intent_id) === 'succeeded';
    expect(await statusOf(body.order_id)).toBe(paid ? 'paid' : 'expired');
    expect(await ledgerOf(running, body.order_id)).toHaveLength(paid ? 1 : 0);
  }
});

test('any number of payments in processing do not block the orders behind them', async () => {
  for (let n = 0; n < 51; n++) {
    const { body } = await customer(running).create(store);
    await pay(running, body.payment_intent_id, 'pm_card_processing');
  }
  running.clock.advance({ seconds: 1 });
  const { id } = await unpaid();
  await expireOverdue(running);
  expect([await statusOf(id), await cakesTaken()]).toEqual(['expired', 0]);
});
