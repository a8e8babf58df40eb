import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { mostLegs } from '../rules/basket.ts';
import { writeAcceptedPayment } from '../tables/accept-payment.ts';
import { findOrderById, type OrderRow } from '../tables/orders.ts';
import { customer, pay } from '../testing/callers.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { paidEvents } from './paid-events.ts';
import { repeatAfterRace } from './repeat-after-race.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const firstOrders = async (storeId: string) =>
  await running.service.database.manyFirst(sql.type(z.object({ is_first: z.boolean() }))`
    select (data->>'is_first')::boolean as is_first from outbox where store_id = ${storeId} and type = 'order.paid' order by 1`);
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
  const order = (await findOrderById(database, body.order_id)) as OrderRow;
  const now = context.now().toISOString();
  const drawn = [taken.body.collection_code, 'FREE'];
  const paid = await repeatAfterRace(() => {
    const codes = Array<string>(1 + mostLegs).fill(drawn.shift());
    const charge = { storeId: store.id, orderId: order.id, intentId: body.payment_intent_id, amountPence: 640 };
    const events = paidEvents(order, now, 'paid');
    return writeAcceptedPayment(
      database,
      { ...charge, customerId: order.customer_id, from: ['pending_payment'], codes, detail: null, eventId: null, events },
      now,
    );
  });
  expect([paid?.collection_code, drawn]).toEqual(['FREE', []]);
  expect(await ledgerOf(running, order.id)).toHaveLength(1);
  expect((await eventsOf(running, order.id)).map(({ data }) => data.collection_code)).toEqual([undefined, 'FREE']);
});
