import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { processProviderEvents } from '../events/jobs.ts';
import { recordProviderEvent } from '../events/tables.ts';
import { paidParts } from '../payment/rules.ts';
import { findPayableOrder, findPayableOrderByIntent, type PayableOrder } from '../payment/tables/payable-orders.ts';
import { writeAcceptedPayment } from '../payment/tables/write-payment.ts';
import { repeatAfterRace } from '../payment/transactions.ts';
import type { OrdersContext } from '../service.ts';
import { customer, pay, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, storedEventsOf, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { watchWork } from '../testing/work.ts';
import { syncPayment } from './sagas.ts';
import { markPaid } from './transactions.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('what is stored and what is published', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  const none = z.object({});

  /** Takes the outbox sequence of an order's next event, so that publishing it fails. Returns a function that moves the order past it. */
  async function occupy(orderId: string, type: string): Promise<() => Promise<void>> {
    const { database } = running.service;
    await database.query(sql.type(none)`
      insert into outbox (type, version, aggregate_id, aggregate_sequence, data)
      select ${type}, 1, id, version + 1, '{}' from orders where id = ${orderId}`);
    return async () => void (await database.query(sql.type(none)`update orders set version = version + 1 where id = ${orderId}`));
  }

  test('a payment is stored and published together, or not at all', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    const { body: order } = await ada.create(own, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
    await pay(running, order.payment_intent_id);
    const free = await occupy(order.order_id, 'order.paid');
    expect((await ada.confirm(own, order.payment_intent_id)).status).toBe(500);
    expect((await worker(running, own).get(order.order_id)).body.order.status).toBe('pending_payment');
    expect(await ledgerOf(running, order.order_id)).toEqual([]);
    expect([await logOf(running, order.order_id), await takenOf(running, own.id)]).toEqual([['placed'], 1]);
    await free();
    expect((await ada.confirm(own, order.payment_intent_id)).body.status).toBe('paid');
    expect(await ledgerOf(running, order.order_id)).toEqual([{ kind: 'charge', amount_pence: 500 }]);
    expect((await eventsOf(running, order.order_id)).map(({ data }) => data.order_id)).toEqual([undefined, order.order_id]);
  });

  test('a refund whose settlement cannot be published stays pending and is settled once later', async () => {
    const order = await paidOrder(running, store);
    const attempt = '00000000-0000-4000-8000-000000000001';
    const free = await occupy(order.id, 'order.refunded');
    expect((await order.refund(200, attempt)).status).toBe(500);
    expect([await order.ledger(), await order.status()]).toEqual([[['charge', 640]], 'paid']);
    await free();
    expect(outcomeOf(await order.refund(200, attempt))).toEqual([200, 200]);
    expect(order.atProvider()).toHaveLength(1);
    expect(await order.ledger()).toHaveLength(2);
    expect((await order.published('order.refunded')).map(({ amount_pence }) => amount_pence)).toEqual([undefined, 200]);
  });

  test('a dispute that cannot be published is not stored, and its event stays unprocessed', async () => {
    const order = await paidOrder(running, store);
    const { id } = running.payments.controls.openDispute(order.intent);
    const free = await occupy(order.id, 'payment.disputed');
    const event = eventOf('charge.dispute.created', id);
    expect((await publish(running, event))[0]).toBe(200);
    await processProviderEvents(running.service.context);
    expect([await order.logged('dispute_opened'), await storedEventsOf(running, event.id)]).toMatchObject([0, [{ processed: false }]]);
    await free();
    await untilProcessed(running);
    expect(await order.logged('dispute_opened')).toBe(1);
    expect((await order.published('payment.disputed')).map(({ state }) => state)).toEqual([undefined, 'opened']);
  });
});

describe('two that settle one payment', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  async function settledTwice(card?: string) {
    const { body } = await customer(running).create(store);
    const intentId: string = body.payment_intent_id;
    await pay(running, intentId, card);
    const order = (await findPayableOrderByIntent(running.service.database, intentId)) as PayableOrder;
    const { context, done } = watchWork(running);
    const { asked, release, payments } = holdFirst(context.payments);
    const settle = (eventId: string | null = null) => syncPayment({ ...context, payments }, order, intentId, eventId);
    return { intentId, done, settle, asked, release };
  }

  /** A provider that holds back its first response about an intent until released; the response is an error when released with one. */
  function holdFirst(payments: OrdersContext['payments']) {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<Error | undefined>();
    let first = true;
    const intent: OrdersContext['payments']['intent'] = async (id) => {
      const isFirst = first;
      first = false;
      const response = await payments.intent(id);
      if (!isFirst) return response;
      asked.resolve();
      const error = await released.promise;
      if (error) throw error;
      return response;
    };
    return { asked: asked.promise, release: released.resolve, payments: { ...payments, intent } };
  }

  test('two that settle a payment at once ask the provider once, and mark the order paid by one statement', async () => {
    const { done, settle, asked, release } = await settledTwice();
    const both = [settle(), settle()];
    await asked;
    release(undefined);
    for (const settled of await Promise.all(both)) expect(settled).toMatchObject({ order: { payment_status: 'paid' } });
    expect(done).toEqual(['provider intent', 'accept-payment']);
  });

  test('the event of the second one is processed by the statement that marks the order paid', async () => {
    const { intentId, done, settle, asked, release } = await settledTwice();
    const event = { id: `evt_${intentId}`, type: 'payment_intent.succeeded', object_id: intentId };
    await recordProviderEvent(running.service.database, event, running.service.context.now());
    const both = [settle(), settle(event.id)];
    await asked;
    release(undefined);
    for (const settled of await Promise.all(both)) expect(settled).toMatchObject({ processed: [event.id] });
    expect(done).toEqual(['provider intent', 'accept-payment']);
    expect(await storedEventsOf(running, event.id)).toMatchObject([{ processed: true }]);
  });

  test('the second one asks again when the first one asked before the payment succeeded', async () => {
    const { intentId, settle, asked, release } = await settledTwice('pm_card_processing');
    const [first, second] = [settle(), settle()];
    await asked;
    running.payments.controls.settleIntent(intentId, 'succeeded');
    release(undefined);
    expect(await first).toMatchObject({ intentStatus: 'processing', order: { payment_status: 'pending_payment' } });
    expect(await second).toMatchObject({ intentStatus: 'succeeded', order: { payment_status: 'paid' } });
  });

  test('the second one asks itself when the first one fails, and a later one waits for neither', async () => {
    const { settle, asked, release } = await settledTwice('pm_card_processing');
    const [first, second] = [settle(), settle()];
    await asked;
    release(new Error('no response'));
    await expect(first).rejects.toThrow('no response');
    expect(await second).toMatchObject({ intentStatus: 'processing' });
    expect(running.service.context.paymentsInSync.size).toBe(0);
  });
});

describe('a race', () => {
  let store: OpenStore;

  const firstOrders = async (storeId: string) =>
    await running.service.database.manyFirst(sql.type(z.object({ is_first: z.boolean() }))`
      select (data->>'is_first')::boolean as is_first from outbox where store_id = ${storeId} and type = 'order.paid' order by 1`);
  const payable = async (orderId: string) =>
    (await findPayableOrder(running.service.database, { storeId: store.id, orderId })) as PayableOrder;
  const oneFirst = (orders: number) => [...Array<boolean>(orders - 1).fill(false), true];

  test('of orders that a customer places at once for nothing, one is the first', async () => {
    store = await running.openStore();
    const ada = customer(running);
    const create = () => ada.create(store, { items: [{ menu_item_id: 'sample', quantity: 1 }] });
    const responses = await Promise.all(Array.from({ length: 8 }, create));
    expect(responses.map(({ body }) => body.status)).toEqual(Array(8).fill('paid'));
    expect(await firstOrders(store.id)).toEqual(oneFirst(8));
  });

  test('of orders that a customer pays at once, one is the first', async () => {
    store = await running.openStore();
    const ada = customer(running);
    const orders = await Promise.all(Array.from({ length: 8 }, async () => (await ada.create(store)).body));
    await Promise.all(orders.map(({ payment_intent_id }) => pay(running, payment_intent_id)));
    const confirmed = await Promise.all(orders.map(({ payment_intent_id }) => ada.confirm(store, payment_intent_id)));
    expect(confirmed.map(({ body }) => body.is_first_order).sort()).toEqual(oneFirst(8));
    expect(await firstOrders(store.id)).toEqual(oneFirst(8));
  });

  test('an order gets another collection code when a live order of the store has the one that was drawn', async () => {
    store = await running.openStore();
    const { database, context } = running.service;
    const toCollect = { order_type: 'collect', collection_mode: 'now' };
    const taken = await customer(running).create(store, { ...toCollect, items: [{ menu_item_id: 'sample', quantity: 1 }] });
    const { body } = await customer(running).create(store, toCollect);
    const order = await payable(body.order_id);
    const charge = { storeId: store.id, orderId: order.id, amountPence: 640 };
    const drawn = [taken.body.collection_code, 'FREE'];
    const paid = await repeatAfterRace(() => {
      const at = context.now();
      const parts = paidParts(order, [drawn.shift()], at);
      const payment = {
        ...charge,
        parts,
        autoAccept: true,
        lookAt: at,
        charges: [{ provider_ref: body.payment_intent_id, amount_pence: 640 }],
        entry: { title: 'Payment was received', detail: null, actor: null, actorId: null },
        eventIds: [],
        events: [],
        sellerVersion: order.seller_version,
        at,
      };
      return database.publishing((queries) => writeAcceptedPayment(queries, payment));
    });
    expect([paid[0]?.collection_code, drawn]).toEqual(['FREE', []]);
    expect(await ledgerOf(running, order.id)).toHaveLength(1);
  });

  test('a payment is decided again, from the order as it is, when the order has changed since it was read', async () => {
    store = await running.openStore();
    const { body } = await customer(running).create(store, { order_type: 'collect', collection_mode: 'now' });
    const found = await payable(body.order_id);
    const { context, done } = watchWork(running);
    await running.service.database.query(sql.type(z.object({}))`update orders set version = version + 5 where id = ${found.id}`);
    const charge = { storeId: store.id, orderId: found.id, intentId: body.payment_intent_id, amountPence: 640, eventIds: [] };
    const paid = await markPaid(context.database, found, { ...charge, voucherIsGone: null }, context.now());
    if (paid === 'expired') throw new Error('the order has expired');
    expect(done).toEqual(['accept-payment', 'find-payable-order', 'accept-payment']);
    expect(paid?.order).toMatchObject({ version: found.version + 6, payment_status: 'paid' });
    const sequences = await running.service.database.manyFirst(sql.type(z.object({ aggregate_sequence: z.number() }))`
      select aggregate_sequence from outbox where aggregate_id = ${found.id}`);
    expect(sequences).toEqual([found.version + 6, found.version + 6]);
    expect((await eventsOf(running, found.id)).map(({ data }) => data.collection_code)).toEqual([undefined, paid?.order.collection_code]);
    expect(paid?.order.collection_code).toMatch(/^[2-9A-Z]{4}$/);
  });
});
