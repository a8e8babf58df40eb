import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { processProviderEvents } from '../jobs/process-provider-events.ts';
import { customer, pay, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, storedEventsOf, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

const none = z.object({});

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/**
 * Blocks the sequence in the outbox that an order's next event would have, so that publishing it fails. Returns a function that moves the
 * order past it.
 */
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
