import { randomUUID } from 'node:crypto';
import { depositReturned } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { setStatus } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => await running[Symbol.asyncDispose]());

const items = [{ menu_item_id: 'last-cake', quantity: 1 }];
const booking_ref = randomUUID();
const pay = () => paidOrder(running, store, { items: [{ menu_item_id: 'flat-white', quantity: 1 }], booking_ref });

async function returnDeposit(orderId: string, cause: 'cancelled' | 'not_due' = 'cancelled', at = store) {
  const data = { order_id: orderId, booking_ref, store_id: at.id, cause, at: running.clock.now().toISOString() };
  await running.consume(envelopeOf(depositReturned, data, { aggregateId: orderId, sequence: 1, storeId: at.id }));
}
async function reconcile() {
  running.clock.advance({ minutes: 1 });
  await reconcilePayments(running.service.context);
}

describe('a deposit', () => {
  test('is one unit of one item and nothing else: anything more is refused, and the refusal names the field', async () => {
    const ada = customer(running);
    const refused: readonly Record<string, unknown>[] = [
      { items: [{ menu_item_id: 'flat-white', quantity: 2 }] },
      { items: [...items, { menu_item_id: 'croissant', quantity: 1 }] },
      { items, order_type: 'collect' },
      { items, tip_pence: 50 },
      { items, promo_code: 'SPRING' },
      { items, voucher_id: randomUUID() },
    ];
    for (const request of refused) {
      const refusal = await ada.create(store, { booking_ref, ...request });
      expect([codeOf(refusal), refusal.body.error.message]).toEqual([[400, 'VALIDATION_FAILED'], expect.stringMatching(/^booking_ref: /)]);
    }
  });

  test('says when it is paid which booking it is of, and by which item; no other order does', async () => {
    const [deposit, order] = [await pay(), await paidOrder(running, store)];
    expect(await deposit.published('deposit.paid')).toMatchObject([{ order_id: deposit.id, booking_ref, menu_item_id: 'flat-white' }]);
    expect([await order.published('deposit.paid'), (await deposit.published('order.paid')).length]).toEqual([[], 1]);
  });

  test('is not cancelled by its customer as an order', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, { items: [{ menu_item_id: 'flat-white', quantity: 1 }], booking_ref });
    const refusal = await ada.call('POST', `/api/v1/orders/${id}/cancel`, { store_id: store.id });
    expect([codeOf(refusal), refusal.body.error.message]).toEqual([[409, 'TOO_LATE_TO_CANCEL'], expect.stringContaining('the booking')]);
  });
});

describe('a deposit that is to go back', () => {
  test('is refunded once, however often that is said, with its reason in the log', async () => {
    const order = await pay();
    for (const _ of [1, 2]) await returnDeposit(order.id);
    await reconcile();
    await returnDeposit(order.id, 'not_due');
    await reconcile();
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([350]);
    expect(await order.published('order.refunded')).toMatchObject([{ amount_pence: 350, full: true }]);
    const { body } = await worker(running, store).call('GET', `/api/v1/orders/${order.id}/log?store_id=${store.id}`);
    expect(JSON.stringify(body)).toContain('The booking was cancelled, so its deposit goes back.');
  });

  test('goes back although it was handed over, and after a part of it was refunded only the rest', async () => {
    const order = await pay();
    const staff = worker(running, store);
    expect(codeOf(await setStatus(staff, store, order.id, 'fulfilled'))).toEqual([200, undefined]);
    await order.refund(100);
    await returnDeposit(order.id);
    await reconcile();
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([100, 250]);
    expect(await order.status()).toBe('refunded');
  });

  test('is not refunded again by a repeat when its refund failed', async () => {
    const order = await pay();
    await returnDeposit(order.id);
    await reconcile();
    await running.service.database.query(sql.type(z.object({}))`update refund set status = 'failed' where payment_order_id = ${order.id}`);
    await returnDeposit(order.id);
    await reconcile();
    expect(order.atProvider()).toHaveLength(1);
  });

  test('is asked for until the provider makes it', async () => {
    const order = await pay();
    await returnDeposit(order.id);
    running.payments.controls.failNext({ how: 'lost_before', path: '/v1/refunds', method: 'POST', times: 20 });
    await reconcile();
    expect(order.atProvider()).toEqual([]);
    running.payments.controls.clearFaults();
    for (let run = 0; run < 3; run += 1) await reconcile();
    expect(order.atProvider()).toHaveLength(1);
  });

  test('stays as it is when staff refunded it, when it is not paid, of another store, and when it is no deposit', async () => {
    const [refunded, order, elsewhere] = [await pay(), await paidOrder(running, store), await pay()];
    await refunded.refund();
    const { body: unpaid } = await customer(running).create(store, { items: [{ menu_item_id: 'flat-white', quantity: 1 }], booking_ref });
    for (const id of [refunded.id, order.id, unpaid.order_id, randomUUID()]) await returnDeposit(id);
    await returnDeposit(elsewhere.id, 'cancelled', await running.openStore());
    await reconcile();
    expect([refunded, order, elsewhere].map((one) => one.atProvider().length)).toEqual([1, 0, 0]);
  });
});
