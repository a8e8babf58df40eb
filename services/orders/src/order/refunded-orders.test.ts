// covers: listOrders

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { applyRefunds } from '../refunds/index.ts';
import { customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { findOrder } from './tables/orders.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const staff = () => worker(running, store);
const refund = async (orderId: string, amount_pence: number | null = null) =>
  expect((await staff().refund(orderId, { amount_pence, refund_attempt_id: randomUUID() })).status).toBe(200);

async function listsOf(orderId: string): Promise<readonly string[]> {
  const lists = [];
  for (const scope of ['active', 'history']) {
    const { body } = await staff().call('GET', `/api/v1/orders?store_id=${store.id}&scope=${scope}&limit=100`);
    if (body.orders.some(({ id }: { id: string }) => id === orderId)) lists.push(scope);
  }
  return lists;
}

test('an order that is refunded in full leaves the live list, though it was neither handed over nor cancelled', async () => {
  const { order_id: id } = await customer(running).paid(store, { order_type: 'collect' });
  expect(await listsOf(id)).toEqual(['active']);
  await refund(id);
  expect(await listsOf(id)).toEqual(['history']);
});

test('an order that is refunded in parts leaves it with the last part', async () => {
  const { order_id: id } = await customer(running).paid(store);
  await refund(id, 600);
  expect(await listsOf(id)).toEqual(['active']);
  await refund(id, 40);
  expect(await listsOf(id)).toEqual(['history']);
});

test('a leg whose share is refunded leaves it alone; with all of them the order leaves too', async () => {
  const ada = customer(running);
  const leg = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };
  const { order_id: id } = await ada.paid(store, { items: [], fulfilment_groups: [leg, leg] });
  const { body } = await ada.call('GET', `/api/v1/orders/${id}/mine`);
  const [one = '', other = ''] = body.order.children.map(({ order_id }: { order_id: string }) => order_id);
  await refund(one);
  expect([await listsOf(one), await listsOf(other), await listsOf(id)]).toEqual([['history'], ['active'], ['active']]);
  await refund(other);
  expect([await listsOf(one), await listsOf(other), await listsOf(id)]).toEqual([['history'], ['history'], ['history']]);
});

test('an order whose refund fails later is live again, with its collection code', async () => {
  const { order_id: id } = await customer(running).paid(store, { order_type: 'collect' });
  const code = (await staff().get(id)).body.order.collection_code;
  await refund(id);
  const intent = running.payments.controls.books().intents.find(({ metadata }) => metadata.order_id === id);
  const made = running.payments.controls.books().refunds.find(({ payment_intent }) => payment_intent === intent?.id);
  running.payments.controls.failRefund(made?.id ?? '');
  const order = await findOrder(running.service.database, store.id, id);
  if (order) await applyRefunds(running.service.context, order, intent?.id ?? '');
  expect(await listsOf(id)).toEqual(['active']);
  expect((await staff().get(id)).body.order).toMatchObject({ status: 'paid', collection_code: code });
});
