// covers: createOrder, confirmOrder, refundOrder, cancelMyOrder

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { lookAtAccount, readAccounts } from '../accounts/sagas.ts';
import { modeOf } from '../config.ts';
import type { OrdersContext } from '../service.ts';
import { basketOf, codeOf, customer, pay, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, storedEventsOf } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { watchWork } from '../testing/work.ts';
import { expireUnpaidOrders, reconcilePayments } from './jobs.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const none = z.object({});
const makeLive = (orderId: string) =>
  running.service.database.query(sql.type(none)`
    with customers as (update payment_customer set mode = 'live' where customer_id = (select customer_id from orders where id = ${orderId}))
    update orders set payment_mode = 'live' where id = ${orderId}`);
const refused = [409, 'PAYMENT_MODE_MISMATCH'];
const askedBy = async (job: (context: OrdersContext) => Promise<void>) => {
  const { context, done } = watchWork(running);
  await job(context);
  return done.filter((step) => step.startsWith('provider '));
};

test.each([
  ['sk_test_51', 'test'],
  ['rk_live_51', 'live'],
  ['sk_live_test_51', 'live'],
  ['sk_test_live_51', 'test'],
])('the key %s is of the %s mode', (key, mode) => {
  expect(modeOf(key)).toBe(mode);
});

describe('an order that was placed in the other mode', () => {
  test('is neither confirmed nor paid by a repeat, and its intent is not asked for', async () => {
    const ada = customer(running);
    const request = basketOf(store);
    const { body: order } = await ada.call('POST', '/api/v1/orders', request);
    await pay(running, order.payment_intent_id);
    await makeLive(order.order_id);
    expect(codeOf(await ada.confirm(store, order.payment_intent_id))).toEqual(refused);
    expect(codeOf(await ada.call('POST', '/api/v1/orders', request))).toEqual(refused);
    expect((await worker(running, store).get(order.order_id)).body.order.status).toBe('pending_payment');
  });

  test('is not refunded', async () => {
    const order = await paidOrder(running, store);
    await makeLive(order.id);
    expect(codeOf(await order.refund())).toEqual(refused);
    expect(order.atProvider()).toEqual([]);
  });

  test('ends when its time to pay is over, or its customer cancels it, without a call to the provider', async () => {
    const ada = customer(running);
    const [expiring, cancelled] = [(await ada.create(store)).body.order_id, (await ada.create(store)).body.order_id];
    for (const id of [expiring, cancelled]) await makeLive(id);
    expect((await ada.call('POST', `/api/v1/orders/${cancelled}/cancel`, { store_id: store.id })).status).toBe(200);
    running.clock.advance({ minutes: 20 });
    expect(await askedBy(reconcilePayments)).not.toContain('provider intent');
    expect(await askedBy(expireUnpaidOrders)).toEqual([]);
    const statuses = await Promise.all([expiring, cancelled].map(async (id) => (await worker(running, store).get(id)).body.order.status));
    expect(statuses).toEqual(['expired', 'cancelled']);
  });
});

test('a customer’s id of the other mode is not sent: the customer gets one of this mode, once', async () => {
  const ada = customer(running);
  const first = (await ada.create(store)).body;
  await makeLive(first.order_id);
  const [second, third] = [(await ada.create(store)).body, (await ada.create(store)).body];
  const Row = z.object({ provider_id: z.string(), mode: z.string().nullable() });
  const row = sql.type(Row)`select provider_id, mode from payment_customer where customer_id = ${ada.sub}`;
  expect(await running.service.database.one(row)).toEqual({ provider_id: third.payment_customer_id, mode: 'test' });
  expect(second.payment_customer_id).toBe(third.payment_customer_id);
});

test('an event of the other mode is acknowledged and ignored', async () => {
  const event = { ...eventOf('account.updated', store.account), livemode: true };
  expect(await publish(running, event)).toEqual([200, undefined]);
  expect(await storedEventsOf(running, event.id)).toEqual([]);
  const own = { ...eventOf('account.updated', store.account), livemode: false };
  await publish(running, own);
  expect(await storedEventsOf(running, own.id)).toHaveLength(1);
});

test('a store whose account is of the other mode takes no orders, its account is not asked for, and a new one is opened', async () => {
  const named = await running.openStore();
  const { context } = running.service;
  await lookAtAccount(context, named.account);
  await running.service.database.query(sql.type(none)`update connected_account set mode = 'live' where account_id = ${named.account}`);
  await readAccounts(context);
  expect(codeOf(await customer(running).create(named))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
  expect(await askedBy((watched) => lookAtAccount(watched, named.account).then(() => undefined))).toEqual([]);
  const owner = worker(running, named, 'merchant');
  expect((await owner.call('GET', `/api/v1/orders/stores/${named.id}/account`)).body).toEqual({ account: null });
  const pages = { return_url: 'http://a.localhost', refresh_url: 'http://a.localhost', email: `${randomUUID()}@example.com` };
  expect((await owner.call('POST', `/api/v1/orders/stores/${named.id}/account-link`, pages)).status).toBe(200);
});
