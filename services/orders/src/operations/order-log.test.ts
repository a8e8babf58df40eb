import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customer, worker } from '../testing/callers.ts';
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

test('the log returns newest first who did what, with their reason and the amount', async () => {
  const order = await customer(running).paid(store, { order_type: 'collect' });
  const staff = worker(running, store);
  running.clock.advance({ minutes: 2 });
  await staff.advance(order.order_id, 'preparing');
  await staff.refund(order.order_id, { amount_pence: 100 });
  const { status, body } = await staff.call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`);
  expect(status).toBe(200);
  expect(body.entries.map(({ title }: { title: string }) => title)).toEqual([
    'The refund was accepted',
    'A refund was requested',
    'Preparation began',
    'Payment was received',
    'The customer placed the order',
  ]);
  expect(body.entries[1]).toMatchObject({ detail: 'It was cold.', actor: 'Ada' });
  expect(body.entries[3].amount_pence).toBe(640);
  expect(body.entries[2].at).toBe(running.clock.now().toISOString().replace('Z', '000Z'));
});

test('without store_id the caller must belong to the order’s store', async () => {
  const order = await customer(running).paid(store);
  const path = `/api/v1/orders/${order.order_id}/log`;
  expect((await worker(running, store).call('GET', path)).body.entries).toHaveLength(2);
  const other = worker(running, await running.openStore());
  const refused = await other.call('GET', path);
  expect([refused.status, refused.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  expect((await other.call('GET', `${path}?store_id=${store.id}`)).body.error.code).toBe('STORE_FORBIDDEN');
});

test('the log of an unknown order is 404, and a customer gets 403', async () => {
  const path = `/api/v1/orders/${randomUUID()}/log?store_id=${store.id}`;
  expect((await worker(running, store).call('GET', path)).status).toBe(404);
  expect((await customer(running).call('GET', path)).body.error.code).toBe('WRONG_TOKEN_TYPE');
});
