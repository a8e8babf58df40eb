import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOrder } from '../operations/create-order.ts';
import { findOrderById, type OrderRow } from '../tables/orders.ts';
import { basketOf, customer, pay } from '../testing/callers.ts';
import { countWork } from '../testing/count-work.ts';
import { putEnded, putLive } from '../testing/put-orders.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { markPaid } from '../transactions/mark-paid.ts';

let running: Running;
let store: OpenStore;

/** A store with 600 orders, 300 of them live, and slots for two days. */
beforeAll(async () => {
  running = await startRunning();
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  const slots = Array.from({ length: 48 }, (_, n) => ({ id: randomUUID(), starts_at: at(n), ends_at: at(n + 1), capacity: 5 }));
  store = await running.openStore({}, menu, slots);
  await putLive(running, store, { orders: 300, from: at(0) });
  await putEnded(running, store, { orders: 300, from: at(0) });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const countCreate = (request: Record<string, unknown>) =>
  countWork(running, (context) => createOrder({ caller: { id: randomUUID() }, body: basketOf(store, request) } as never, context));
const sample = [{ menu_item_id: 'sample', quantity: 1 }];

test('an order that costs nothing takes two statements, of which one writes, and each of its rows is written once', async () => {
  expect(await countCreate({ items: sample })).toEqual({
    statements: ['read-checkout-data', 'place-free-order'],
    written: { orders: 1, order_line: 1, log_entry: 2, ledger: 1, outbox: 1, store: 1 },
    // Of orders, only for the foreign keys of its four rows that refer to it.
    read: { orders: 4, store: 2, menu_item: 1 },
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
    written: { orders: 2, order_line: 2, log_entry: 1, store: 1, payment_customer: 1, provider_call: 4 },
    read: { orders: 4, store: 2, menu_item: 2, provider_call: 2 },
  });
});

test('marking an order paid takes one statement, which publishes as well', async () => {
  const { body } = await customer(running).create(store);
  await pay(running, body.payment_intent_id);
  const order = (await findOrderById(running.service.database, body.order_id)) as OrderRow;
  const payment = {
    storeId: store.id,
    orderId: order.id,
    intentId: body.payment_intent_id,
    amountPence: 640,
    eventId: null,
    voucherIsGone: false,
  };
  expect(await countWork(running, (context) => markPaid(context.database, order, payment, context.now()))).toEqual({
    statements: ['accept-payment'],
    written: { orders: 1, log_entry: 1, ledger: 1, outbox: 1 },
    read: { orders: 4, store: 1 },
  });
});
