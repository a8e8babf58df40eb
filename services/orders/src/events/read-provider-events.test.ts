import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, pay, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, storedEventsOf, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { readProviderEvents } from './jobs.ts';

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

const readLater = async (replicas = 1) => {
  running.clock.advance({ minutes: 1 });
  await Promise.all(Array.from({ length: replicas }, () => readProviderEvents(running.service.context)));
  await untilProcessed(running);
};
const eventsAbout = (id: string) => running.payments.books().events.filter(({ about }) => about === id);
const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;

test('a payment, a refund at the dashboard and its failure are taken in within two minutes when every webhook is lost', async () => {
  const { body: placed } = await customer(running).create(store);
  await pay(running, placed.payment_intent_id);
  await readLater();
  expect(await statusOf(placed.order_id)).toBe('paid');

  const refund = running.payments.controls.dashboardRefund(placed.payment_intent_id, 640);
  await readLater();
  expect(await statusOf(placed.order_id)).toBe('refunded');

  running.payments.controls.failRefund(refund.id);
  await readLater();
  expect(await statusOf(placed.order_id)).toBe('paid');
  expect((await eventsOf(running, placed.order_id)).map(({ type }) => type)).toEqual([
    'order.paid',
    'order.refunded',
    'order.refund_failed',
  ]);
});

test('two replicas that read at once, while the webhook comes, store and process each event once', async () => {
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent, 100);
  const [event] = eventsAbout(refund.id);
  await Promise.all([readLater(3), publish(running, eventOf('refund.created', refund.id, event?.id))]);
  await readLater();
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -100],
  ]);
  expect(await storedEventsOf(running, event?.id ?? '')).toMatchObject([{ processed: true }]);
});

test('a list of several pages is read to its end', async () => {
  const order = await paidOrder(running, store);
  await readLater();
  const oldest = running.payments.controls.dashboardRefund(order.intent, 10);
  for (let n = 0; n < 60; n++)
    await customer(running)
      .create(store)
      .then(({ body }) => pay(running, body.payment_intent_id));
  await readLater();
  expect(await order.ledger()).toContainEqual(['refund', -10]);
  expect(eventsAbout(oldest.id).length).toBeGreaterThan(0);
});

/** Reads each minute for half an hour. Returns how often each event was read, and the requests. */
async function readForHalfAnHour(listed: (id: string) => boolean = () => true) {
  const { context } = running.service;
  const reads = new Map<string, number>();
  let requests = 0;
  const eventsCreated: typeof context.providerEvents.eventsCreated = async (from, to) => {
    requests += 1;
    const events = (await context.providerEvents.eventsCreated(from, to)).filter(({ id }) => listed(id));
    for (const { id } of events) reads.set(id, (reads.get(id) ?? 0) + 1);
    return events;
  };
  for (let n = 0; n < 30; n += 1) {
    running.clock.advance({ minutes: 1 });
    await readProviderEvents({ ...context, providerEvents: { eventsCreated } });
  }
  return { reads, requests };
}

test('an event is read twice and not each minute, by a request a minute and one each ten minutes', async () => {
  await readLater();
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent, 20);
  const { reads, requests } = await readForHalfAnHour();
  expect(requests).toBeLessThanOrEqual(33);
  expect(eventsAbout(refund.id).map(({ id }) => reads.get(id))).toEqual([2]);
});

test('an event that the provider lists nine minutes late is found', async () => {
  await readLater();
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent, 30);
  const [event] = eventsAbout(refund.id);
  const listedAt = running.clock.now().getTime() + 9 * 60_000;
  await readForHalfAnHour((id) => id !== event?.id || running.clock.now().getTime() >= listedAt);
  await untilProcessed(running);
  expect(await order.ledger()).toContainEqual(['refund', -30]);
});

test('while the provider is down nothing is skipped, and the next run continues where the last one ended', async () => {
  await readLater();
  const order = await paidOrder(running, store);
  running.payments.controls.dashboardRefund(order.intent, 50);
  running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: '/v1/events', times: 12 });
  running.clock.advance({ hours: 20 });
  await expect(readProviderEvents(running.service.context)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
  running.payments.controls.clearFaults();
  await readLater();
  expect(await order.ledger()).toContainEqual(['refund', -50]);
});

test('a run that ends halfway keeps the parts that it has read', async () => {
  await readLater();
  const order = await paidOrder(running, store);
  running.payments.controls.dashboardRefund(order.intent, 70);
  running.clock.advance({ hours: 13 });
  const { context } = running.service;
  let parts = 0;
  const eventsCreated: typeof context.providerEvents.eventsCreated = async (from, to) => {
    if (++parts > 2) throw new Error('the process ends');
    return await context.providerEvents.eventsCreated(from, to);
  };
  await expect(readProviderEvents({ ...context, providerEvents: { eventsCreated } })).rejects.toThrow('the process ends');
  await untilProcessed(running);
  expect(await order.ledger()).toContainEqual(['refund', -70]);
  const froms: number[] = [];
  await readProviderEvents({
    ...context,
    providerEvents: {
      eventsCreated: async (from, to) => {
        froms.push(from.getTime());
        return await context.providerEvents.eventsCreated(from, to);
      },
    },
  });
  expect(froms[0]).toBeGreaterThan(running.clock.now().getTime() - 2 * 3_600_000);
});

test('the first reading goes back three days and no further', async () => {
  const fresh = await startRunning();
  try {
    const shop = await fresh.openStore();
    const order = await paidOrder(fresh, shop);
    fresh.clock.advance({ days: -4 });
    const old = fresh.payments.controls.dashboardRefund(order.intent, 100);
    fresh.clock.advance({ days: 2 });
    fresh.payments.controls.dashboardRefund(order.intent, 50);
    fresh.clock.advance({ days: 2, minutes: 1 });
    await fresh.service.database.query(sql.type(z.object({}))`delete from provider_cursor`);
    await readProviderEvents(fresh.service.context);
    const [oldEvent] = fresh.payments.books().events.filter(({ about }) => about === old.id);
    expect(await storedEventsOf(fresh, oldEvent?.id ?? '')).toEqual([]);
    await untilProcessed(fresh);
    expect((await ledgerOf(fresh, order.id)).length).toBeGreaterThan(1);
  } finally {
    await fresh[Symbol.asyncDispose]();
  }
});

test('an event of another system on the same account is stored once and changes nothing', async () => {
  const form = new URLSearchParams({
    amount: '500',
    currency: 'gbp',
    confirm: 'true',
    payment_method: 'pm_card_visa',
    'metadata[order_id]': randomUUID(),
  });
  const response = await fetch(`${running.payments.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_corner' },
    body: form,
  });
  expect(response.status).toBe(200);
  await readLater(2);
  await readLater();
});
