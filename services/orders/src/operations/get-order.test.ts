import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code];

test('staff of the store get the order as the list returns it', async () => {
  const order = await customer(running).paid(store, { order_type: 'collect', tip_pence: 50 });
  for (const typ of ['staff', 'merchant'] as const) {
    const member = worker(running, store, typ);
    const { status, body } = await member.get(order.order_id);
    expect(status).toBe(200);
    expect(body.order).toMatchObject({
      id: order.order_id,
      store_id: store.id,
      order_number: order.order_number,
      status: 'paid',
      total_pence: 690,
      currency: 'GBP',
      items: [
        { menu_item_id: 'flat-white', name: 'Flat white', quantity: 1, unit_price_pence: 350, total_pence: 350 },
        { menu_item_id: 'croissant', name: 'Croissant', quantity: 1, unit_price_pence: 290, total_pence: 290 },
      ],
    });
    const { body: list } = await member.call('GET', `/api/v1/orders?store_id=${store.id}`);
    expect(list.orders).toEqual([body.order]);
  }
});

test('an order of another store and an unknown order are 404', async () => {
  const order = await customer(running).paid(store);
  const other = worker(running, await running.openStore());
  expect(refusal(await other.get(order.order_id))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await worker(running, store).get(randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await worker(running, store).get('17'))).toEqual([400, 'VALIDATION_FAILED']);
});

test('a caller without a token, a customer, and staff of another store are refused', async () => {
  const buyer = customer(running);
  const order = await buyer.paid(store);
  const path = `/api/v1/orders/${order.order_id}?store_id=${store.id}`;
  expect((await fetch(`${running.service.url}${path}`)).status).toBe(401);
  expect(refusal(await buyer.call('GET', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  const other = worker(running, await running.openStore(), 'merchant');
  expect(refusal(await other.call('GET', path))).toEqual([403, 'STORE_FORBIDDEN']);
  expect(refusal(await worker(running, store).call('GET', `/api/v1/orders/${order.order_id}`))).toEqual([400, 'VALIDATION_FAILED']);
});
