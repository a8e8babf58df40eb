// covers: createOrder, confirmOrder, advanceFulfilment, refundOrder, getOrder, listOrders, orderLog

import { randomUUID } from 'node:crypto';
import type { FulfilmentStatus } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { createOrder } from '../checkout/operations.ts';
import { markPaid } from '../confirmation/transactions.ts';
import { advanceFulfilment } from '../fulfilment/transactions/move-order.ts';
import { findPayableOrder, type PayableOrder } from '../payment/tables/payable-orders.ts';
import { basketOf, customer, pay } from '../testing/callers.ts';
import { eventOf } from '../testing/provider-events.ts';
import { putEnded, putLive } from '../testing/put-orders.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { watchedOrder } from '../testing/watched-order.ts';
import { countWork } from '../testing/work.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('round trips', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  test('creating sends three statements; a customer that the provider knows is not created again', async () => {
    const ada = watchedOrder(running, store);
    const before = ['read-checkout-data', 'place-order'];
    const payment = ['provider createIntent', 'provider ephemeralKey', 'record-intent'];
    expect(await ada.create()).toEqual([...before, 'provider createCustomer', ...payment]);
    expect(await ada.create()).toEqual([...before, ...payment]);
  });

  const asking = ['call loyalty.award', 'call notifications.ask'];
  const received = ['receive-payment-event'];
  const read = ['find-customer-order-by-intent'];

  async function paidAtProvider(basket?: Record<string, unknown>) {
    const ada = watchedOrder(running, store);
    await ada.create(basket);
    await pay(running, ada.order.intent);
    return ada;
  }

  test('the webhook that comes before the confirmation stores its event, asks the provider once and marks the order paid', async () => {
    const ada = await paidAtProvider();
    expect(await ada.webhook()).toEqual([...received, 'provider intent', 'accept-payment']);
    expect(await ada.confirm()).toEqual([...read, ...asking]);
    expect(await ada.confirm()).toEqual([...read, ...asking]);
  });

  test('the confirmation that comes before the webhook asks the provider once, and the webhook only stores its event', async () => {
    const ada = await paidAtProvider();
    expect(await ada.confirm()).toEqual([...read, 'provider intent', 'accept-payment', ...asking]);
    const event = eventOf('payment_intent.succeeded', ada.order.intent);
    expect(await ada.webhook(event)).toEqual(received);
    expect(await ada.webhook(event)).toEqual(received);
  });

  test('the confirmation of an order with legs sends no further statement', async () => {
    const items = [{ menu_item_id: 'croissant', quantity: 1 }];
    const ada = await paidAtProvider({
      items: [],
      fulfilment_groups: [
        { role: 'now', items },
        { role: 'collect', items },
      ],
    });
    await ada.webhook();
    expect(await ada.confirm()).toEqual([...read, ...asking]);
  });

  test('a fulfilment move locks the order and sends one more statement; the same status again only locks', async () => {
    const ada = watchedOrder(running, store);
    await ada.create({ order_type: 'collect' });
    await pay(running, ada.order.intent);
    await ada.confirm();
    for (const status of ['preparing', 'ready', 'collected']) {
      expect(await ada.advance(status)).toEqual(['begin', 'lock-family', 'move-orders', 'commit']);
      expect(await ada.advance(status)).toEqual(['begin', 'lock-family', 'commit']);
    }
  });

  test('preparing an order and having it ready writes no new entry into an index; ending it moves it from the live orders to the ended ones', async () => {
    const ada = await paidAtProvider({ order_type: 'collect' });
    await ada.confirm();
    const rewritten = (...steps: readonly FulfilmentStatus[]) =>
      running.service.database.transaction(async (tx) => {
        const before = await tx.one(rewrites);
        for (const to of steps) await advanceFulfilment(tx, { storeId: store.id, orderId: ada.order.id, to, actor: null });
        const after = await tx.one(rewrites);
        return { all: after.all - before.all, in_place: after.in_place - before.in_place };
      });
    expect(await rewritten('preparing', 'ready')).toEqual({ all: 2, in_place: 2 });
    expect(await rewritten('collected')).toEqual({ all: 1, in_place: 0 });
  });

  /** How often rows of orders were rewritten by this connection, and how often with every index as it was. */
  const rewrites = sql.type(z.object({ all: z.number(), in_place: z.number() }))`
    select n_tup_upd::int as all, n_tup_hot_upd::int as in_place
    from pg_stat_xact_user_tables where schemaname = current_schema and relname = 'orders'`;

  test('a refund is reserved in one transaction, made at the provider, and its outcome recorded in another; its event finds it recorded, and the last gives back holds', async () => {
    const ada = await paidAtProvider({ tip_pence: 60 });
    await ada.confirm();
    const reserving = ['begin', 'lock-family', 'refunds-of-order', 'find-refund-terms', 'insert-refund', 'commit'];
    const recording = ['begin', 'lock-family', 'refunds-of-order', 'write-refund-outcome', 'commit'];
    expect(await ada.refund(100)).toEqual([...reserving, 'provider refund', ...recording]);
    const refund = running.payments.books().refunds.find(({ payment_intent }) => payment_intent === ada.order.intent);
    expect(await ada.webhook(eventOf('refund.created', refund?.id ?? ''))).toEqual([
      'record-provider-event',
      'provider refundById',
      'find-payable-order-by-intent',
      'provider refundsOf',
      'refunds-of-order',
      'record-provider-event-attempt',
    ]);
    const all = recording.toSpliced(3, 0, 'release-holds');
    expect(await ada.refund()).toEqual([...reserving, 'provider refund', ...all]);
  });

  test('reading an order, a list or a log is one statement', async () => {
    const ada = await paidAtProvider();
    expect(await ada.get()).toEqual(['find-order']);
    expect(await ada.list('active')).toEqual(['list-active']);
    expect(await ada.list('history')).toEqual(['list-history']);
    expect(await ada.log()).toEqual(['find-order-log']);
  });
});

describe('rows in a store with many orders', () => {
  let store: OpenStore;

  beforeAll(async () => {
    await running[Symbol.asyncDispose]();
    running = await startRunning();
    const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
    const slots = Array.from({ length: 48 }, (_, n) => ({ id: randomUUID(), starts_at: at(n), ends_at: at(n + 1), capacity: 5 }));
    store = await running.openStore({}, menu, slots);
    await putLive(running, store, { orders: 300, from: at(0) });
    await putEnded(running, store, { orders: 300, from: at(0) });
  });

  const countCreate = (request: Record<string, unknown>) =>
    countWork(running, (context) =>
      createOrder({ caller: { id: randomUUID() }, body: basketOf(store, request), header: () => undefined } as never, context),
    );
  const sample = [{ menu_item_id: 'sample', quantity: 1 }];

  test('an order that costs nothing is placed as any other and accepted as any payment, in one transaction', async () => {
    expect(await countCreate({ items: sample })).toEqual({
      // The order is read in between because the events depend on its state when placed.
      statements: ['read-checkout-data', 'begin', 'place-order', 'find-payable-order', 'accept-payment'],
      written: { orders: 2, order_line: 1, log_entry: 2, ledger: 1, outbox: 1, store: 1, noted_change: 1 },
      // Four of the reads of orders are for foreign keys that refer to it.
      read: { orders: 7, order_line: 1, store: 3, menu_item: 1, noted_change: 2 },
    });
  });

  test('an order with a place in a slot reads that slot, and one with a counted item takes it once', async () => {
    const at = new Date(running.clock.now().getTime() + 20.5 * 3_600_000).toISOString();
    const scheduled = { order_type: 'collect', collection_mode: 'scheduled', requested_collection_at: at };
    const { read, written } = await countCreate({ ...scheduled, items: [{ menu_item_id: 'last-cake', quantity: 1 }], tip_pence: 0 });
    expect(written).toMatchObject({ orders: 2, slot: 1, menu_item: 1, hold: 2 });
    expect(read.slot).toBe(3);
  });

  test('placing an order that is to be paid takes two statements, and one for its intent', async () => {
    expect(await countCreate({})).toEqual({
      statements: ['read-checkout-data', 'place-order', 'record-intent'],
      written: { orders: 2, order_line: 2, log_entry: 1, store: 1, payment_customer: 1, provider_call: 4, noted_change: 1 },
      read: { orders: 4, store: 2, menu_item: 2, provider_call: 2, noted_change: 2 },
    });
  });

  test('marking an order paid takes one statement, which publishes as well', async () => {
    const { body } = await customer(running).create(store);
    await pay(running, body.payment_intent_id);
    const order = (await findPayableOrder(running.service.database, { storeId: store.id, orderId: body.order_id })) as PayableOrder;
    const payment = {
      storeId: store.id,
      orderId: order.id,
      intentId: body.payment_intent_id,
      amountPence: 640,
      eventIds: [],
      voucherIsGone: null,
    };
    expect(await countWork(running, (context) => markPaid(context.database, order, payment, context.now()))).toEqual({
      statements: ['accept-payment'],
      written: { orders: 1, log_entry: 1, ledger: 1, outbox: 1, noted_change: 1 },
      read: { orders: 4, noted_change: 1 },
    });
  });
});
