// covers: refundOrder, setBusinessStatus, advanceFulfilment

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({ staff_refund_limit_pence: 350 });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function refundable(of = store) {
  const order = await paidOrder(running, of, { order_type: 'collect' });
  const as =
    (typ: 'staff' | 'merchant') =>
    (request: Record<string, unknown> = {}) =>
      worker(running, of, typ).refund(order.id, { refund_attempt_id: randomUUID(), ...request });
  return { ...order, byStaff: as('staff'), byOwner: as('merchant') };
}

const amountOf = ({ body }: ApiResponse) => body.refund.amount;
const refused = {
  status: 403,
  body: { error: { code: 'INSUFFICIENT_ROLE', message: expect.stringContaining('up to £3.50 of an order') } },
};

describe('staff', () => {
  test('refund an order up to the limit of the store, and no penny more', async () => {
    const order = await refundable();
    expect(await order.byStaff({ amount_pence: 351 })).toMatchObject(refused);
    expect(await order.byStaff()).toMatchObject(refused);
    expect(amountOf(await order.byStaff({ amount_pence: 350 }))).toBe(350);
    expect(await order.byStaff({ amount_pence: 1 })).toMatchObject(refused);
    expect(order.atProvider()).toHaveLength(1);
  });

  test('are limited by all refunds of the order together, by amount and by line, by anyone', async () => {
    const order = await refundable();
    expect(amountOf(await order.byOwner({ amount_pence: 61 }))).toBe(61);
    expect(await order.byStaff({ lines: [{ position: 2, quantity: 1 }] })).toMatchObject(refused);
    const other = await refundable();
    expect(amountOf(await other.byStaff({ lines: [{ position: 2, quantity: 1 }] }))).toBe(290);
    expect(amountOf(await other.byStaff({ amount_pence: 60 }))).toBe(60);
  });

  test('who repeat a refund that was made get it again', async () => {
    const order = await refundable();
    const attempt = { amount_pence: 300, refund_attempt_id: randomUUID() };
    const first = await order.byStaff(attempt);
    expect((await order.byStaff(attempt)).body).toEqual(first.body);
  });

  test.each([
    ['status', { status: 'cancelled' }],
    ['fulfilment', { to_status: 'cancelled' }],
  ])('do not cancel by the %s what they may not refund', async (path, request) => {
    const order = await refundable();
    const cancel = (typ: 'staff' | 'merchant') =>
      worker(running, store, typ).call('PATCH', `/api/v1/orders/${order.id}/${path}`, { store_id: store.id, refund: true, ...request });
    expect(await cancel('staff')).toMatchObject(refused);
    expect(await order.status()).toBe('paid');
    expect(amountOf(await cancel('merchant'))).toBe(640);
  });
});

test('the owner refunds any amount, and so do staff of a store without a limit', async () => {
  expect(amountOf(await (await refundable()).byOwner())).toBe(640);
  expect(amountOf(await (await refundable(await running.openStore())).byStaff())).toBe(640);
});

test('staff of a store with a limit of nothing refund nothing, but give back an order that cost nothing', async () => {
  const strict = await running.openStore({ staff_refund_limit_pence: 0 });
  const order = await refundable(strict);
  expect((await order.byStaff({ amount_pence: 1 })).body.error.message).toBe(
    'Staff can refund up to £0.00 of an order; a manager can refund more.',
  );
  const free = await paidOrder(running, strict, { items: [{ menu_item_id: 'sample', quantity: 1 }] });
  expect(amountOf(await free.refund())).toBe(0);
});
