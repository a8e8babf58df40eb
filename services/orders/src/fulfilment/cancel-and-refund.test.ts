// covers: advanceFulfilment, setBusinessStatus

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { takenOf } from '../testing/rows.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore({}, countedMenu);
});
afterEach(async () => {
  running.payments.controls.clearFaults();
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const staff = (of = store) => worker(running, of);
const byStatus = (id: string, more: Record<string, unknown> = {}, of = store) =>
  staff(of).call('PATCH', `/api/v1/orders/${id}/status`, { store_id: of.id, status: 'cancelled', refund: true, ...more });
const byFulfilment = (id: string, more: Record<string, unknown> = {}, of = store) =>
  staff(of).call('PATCH', `/api/v1/orders/${id}/fulfilment`, { store_id: of.id, to_status: 'cancelled', refund: true, ...more });
const stateOf = async (id: string) => {
  const { fulfilment_status, status, refunded_pence } = (await staff().get(id)).body.order;
  return [fulfilment_status, status, refunded_pence];
};
const refundOf = ({ status, body }: ApiResponse) => [status, body.error?.code ?? (body.refund && [body.refund.status, body.refund.amount])];
const cakes = { items: [{ menu_item_id: 'cake', quantity: 2 }], order_type: 'collect', tip_pence: 50 };

describe.each([
  ['setBusinessStatus', byStatus],
  ['advanceFulfilment', byFulfilment],
])('%s with refund', (_, cancel) => {
  test('cancels the order and refunds all of it, the tip too, in one request', async () => {
    const order = await paidOrder(running, store, cakes);
    const response = await cancel(order.id);
    expect(refundOf(response)).toEqual([200, ['succeeded', 850]]);
    expect(response.body.refund.id).toBe(order.atProvider()[0]?.id);
    expect([await stateOf(order.id), await takenOf(running, store.id, 'cake')]).toEqual([['cancelled', 'refunded', 850], 0]);
    const { entries } = (await staff().call('GET', `/api/v1/orders/${order.id}/log`)).body;
    expect(entries.map(({ title, detail, actor }: Record<string, string>) => [title, detail, actor]).slice(0, 3)).toEqual([
      ['The refund was accepted', 'The order was cancelled.', 'Ada'],
      ['The order was cancelled', 'The payment is refunded.', 'Ada'],
      ['A refund was requested', 'The order was cancelled.', 'Ada'],
    ]);
  });

  test('refunds once when it is repeated, and when several ask at the same time', async () => {
    const order = await paidOrder(running, store, cakes);
    const both = await runConcurrently(
      running,
      order.id,
      () => cancel(order.id),
      () => cancel(order.id),
    );
    const repeated = await cancel(order.id);
    for (const response of both) expect([response.status, response.body.refund.amount]).toEqual([200, 850]);
    expect(refundOf(repeated)).toEqual([200, ['succeeded', 850]]);
    expect(order.atProvider()).toHaveLength(1);
  });

  test('refunds what earlier refunds left, also of an order that is cancelled already', async () => {
    const order = await paidOrder(running, store, cakes);
    await order.refund(100);
    await staff().advance(order.id, 'cancelled');
    expect(refundOf(await cancel(order.id))).toEqual([200, ['succeeded', 750]]);
    const refunded = await paidOrder(running, store, cakes);
    await refunded.refund();
    expect(refundOf(await cancel(refunded.id))).toEqual([200, null]);
    expect(await stateOf(refunded.id)).toEqual(['cancelled', 'refunded', 850]);
  });

  test.each([
    [
      'INVALID_TRANSITION',
      409,
      (id: string) =>
        staff()
          .advance(id, 'preparing')
          .then(() => staff().advance(id, 'ready'))
          .then(() => staff().advance(id, 'collected')),
    ],
    [
      'REFUND_LIMIT_REACHED',
      409,
      async (id: string) => {
        for (let n = 0; n < 20; n += 1) await staff().refund(id, { amount_pence: 1, refund_attempt_id: randomUUID() });
      },
    ],
    ['ORDER_DISPUTED', 409, (id: string) => running.service.database.query(sql.unsafe`update orders set disputed = true where id = ${id}`)],
    [
      'REFUND_WINDOW_EXPIRED',
      409,
      (id: string) => running.service.database.query(sql.unsafe`update orders set paid_at = paid_at - interval '91 days' where id = ${id}`),
    ],
  ])('is refused with %s, and the order is neither cancelled nor refunded', async (code, status, prepare) => {
    const order = await paidOrder(running, store, cakes);
    await prepare(order.id);
    const [before, made] = [await stateOf(order.id), order.atProvider().length];
    expect(codeOf(await cancel(order.id))).toEqual([status, code]);
    expect([await stateOf(order.id), order.atProvider().length]).toEqual([before, made]);
  });

  test('of another status, or of another store’s order, is refused', async () => {
    const { id } = await paidOrder(running, store, cakes);
    expect(codeOf(await cancel(id, { status: 'ready', to_status: 'preparing' }))).toEqual([400, 'VALIDATION_FAILED']);
    const other = await running.openStore();
    expect(codeOf(await cancel(id, {}, other))).toEqual([404, 'ORDER_NOT_FOUND']);
    const byCustomer = await customer(running).call('PATCH', `/api/v1/orders/${id}/status`, {
      store_id: store.id,
      status: 'cancelled',
      refund: true,
    });
    expect(codeOf(byCustomer)).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

test('a partner that may move orders cancels one, and refunds it with the scope of refunds alone', async () => {
  const order = await paidOrder(running, store, cakes);
  const cancel = async (scope: string, refund: boolean) => {
    const claims = { typ: 'partner', name: 'Courier', scope, stores: [{ id: store.id, role: 'staff' }] } as const;
    const response = await fetch(`${running.service.url}/api/v1/orders/${order.id}/fulfilment`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${await running.issuer.token(claims)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ store_id: store.id, to_status: 'cancelled', refund }),
    });
    return { status: response.status, body: (await response.json()) as ApiResponse['body'], headers: response.headers };
  };
  expect(codeOf(await cancel('orders:read orders:refund', true))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect(codeOf(await cancel('orders:write', true))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect(await stateOf(order.id)).toEqual(['accepted', 'paid', 0]);
  expect(refundOf(await cancel('orders:write orders:refund', true))).toEqual([200, ['succeeded', 850]]);
  const { entries } = (await staff().call('GET', `/api/v1/orders/${order.id}/log`)).body;
  expect(entries[0].actor).toBe('partner Courier');
});

test('a refund without a response, or that the provider declines, stays pending and is made later', async () => {
  const order = await paidOrder(running, store, cakes);
  running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
  expect(refundOf(await byStatus(order.id))).toEqual([200, ['pending', 850]]);
  const declined = await paidOrder(running, store, cakes);
  const taken = running.payments.controls.dashboardRefund(declined.intent, 800);
  const { body } = await byStatus(declined.id);
  expect([body.refund.status, body.refund.amount]).toEqual(['pending', 50]);
  running.payments.controls.clearFaults();
  expect(taken.amount).toBe(800);
  for (let n = 0; n < 3; n += 1) {
    running.clock.advance({ minutes: 5 });
    await reconcilePayments(running.service.context);
  }
  expect([await stateOf(order.id), await stateOf(declined.id)]).toEqual([
    ['cancelled', 'refunded', 850],
    ['cancelled', 'refunded', 850],
  ]);
});

test('a refund that a dispute holds up ends when the bank decides for the store, and the store is notified: the provider makes it no more', async () => {
  const order = await paidOrder(running, store, cakes);
  const dispute = running.payments.controls.openDispute(order.intent);
  expect(refundOf(await byStatus(order.id))).toEqual([200, ['pending', 850]]);
  running.payments.controls.closeDispute(dispute.id, 'won');
  await sendEventsAbout(running, dispute.id, 'charge.dispute.closed');
  running.clock.advance({ minutes: 5 });
  await reconcilePayments(running.service.context);
  const refunded = await order.published('order.refund_failed');
  expect([await stateOf(order.id), refunded]).toMatchObject([['cancelled', 'cancelled', 0], [{ amount_pence: 850, was_accepted: false }]]);
  expect(refundOf(await byStatus(order.id))).toEqual([200, ['rejected', 850]]);
});

test('an earlier refund under a key that reads like the cancellation of staff or of the customer is another refund', async () => {
  const byStaff = await paidOrder(running, store, cakes);
  await staff().refund(byStaff.id, { amount_pence: 100 }, { 'Idempotency-Key': 'cancelled-by-store' });
  expect(refundOf(await byStatus(byStaff.id))).toEqual([200, ['succeeded', 750]]);
  const ana = customer(running);
  const { order_id: id } = await ana.paid(store, cakes);
  await staff().refund(id, { amount_pence: 100 }, { 'Idempotency-Key': 'cancelled-by-customer' });
  expect((await ana.call('POST', `/api/v1/orders/${id}/cancel`, { store_id: store.id })).status).toBe(200);
  expect(await stateOf(id)).toEqual(['cancelled', 'refunded', 850]);
});

test('an unpaid order is cancelled, and there is nothing to refund', async () => {
  const { body } = await customer(running).create(store, cakes);
  expect(refundOf(await byStatus(body.order_id))).toEqual([200, null]);
  expect((await stateOf(body.order_id))[1]).toBe('cancelled');
});

test('an order that cost nothing has one refund of nothing, so that its voucher can be used again', async () => {
  const { id } = await paidOrder(running, store, { items: [{ menu_item_id: 'sample', quantity: 1 }], order_type: 'collect' });
  expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 0]]);
  expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 0]]);
  expect(await stateOf(id)).toEqual(['cancelled', 'refunded', 0]);
});

describe('of a mixed order', () => {
  const role = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };

  async function mixed(legs: number, hasOwn = true) {
    const own = hasOwn ? [{ role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] }] : [];
    const request = { items: [], fulfilment_groups: [...own, ...Array.from({ length: legs }, () => role)], tip_pence: 50 };
    const ana = customer(running);
    const { order_id: id } = await ana.paid(store, request);
    const { body } = await ana.call('GET', `/api/v1/orders/${id}/mine`);
    return { id, legs: body.order.children.map((child: { order_id: string }) => child.order_id) as readonly string[] };
  }
  const collect = async (id = '') => {
    for (const to of ['preparing', 'ready', 'collected']) expect((await staff().advance(id, to)).status).toBe(200);
  };

  test('a leg is refunded its share, and the whole order what is left', async () => {
    const { id, legs } = await mixed(2);
    expect(refundOf(await byFulfilment(legs[0] ?? ''))).toEqual([200, ['succeeded', 350]]);
    expect(refundOf(await byFulfilment(legs[0] ?? ''))).toEqual([200, ['succeeded', 350]]);
    expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 350 + 290 + 50]]);
    expect((await stateOf(id))[1]).toBe('refunded');
  });

  test('a leg that was handed over is not refunded with the whole order', async () => {
    const { id, legs } = await mixed(2);
    await collect(legs[0]);
    expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 350 + 290 + 50]]);
    expect(await stateOf(legs[0] ?? '')).toEqual(['collected', 'paid', 0]);
  });

  test('the order’s own part that was handed over is refunded neither with its last leg nor with the order', async () => {
    const one = await mixed(1);
    await staff().call('PATCH', `/api/v1/orders/${one.id}/status`, { store_id: store.id, status: 'fulfilled' });
    expect(refundOf(await byFulfilment(one.legs[0] ?? ''))).toEqual([200, ['succeeded', 350]]);
    expect(await stateOf(one.legs[0] ?? '')).toEqual(['cancelled', 'refunded', 350]);
    const other = await mixed(1);
    await staff().call('PATCH', `/api/v1/orders/${other.id}/status`, { store_id: store.id, status: 'fulfilled' });
    expect(refundOf(await byStatus(other.id))).toEqual([200, ['succeeded', 350]]);
  });

  test('a leg that was refunded with the order is refunded no second time, by a cancellation or by line, from what was handed over', async () => {
    const { id, legs } = await mixed(1);
    await staff().call('PATCH', `/api/v1/orders/${id}/status`, { store_id: store.id, status: 'fulfilled' });
    expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 350]]);
    expect(refundOf(await byFulfilment(legs[0] ?? ''))).toEqual([200, null]);
    expect(codeOf(await staff().refund(legs[0] ?? '', { lines: [{ position: 1, quantity: 1 }] }))).toEqual([409, 'ALREADY_REFUNDED']);
    expect(await stateOf(id)).toEqual(['cancelled', 'partially_refunded', 350]);
  });

  test('an own part that was handed over stays so when the order is cancelled first and refunded later', async () => {
    const { id } = await mixed(1);
    await staff().call('PATCH', `/api/v1/orders/${id}/status`, { store_id: store.id, status: 'fulfilled' });
    await byStatus(id, { refund: false });
    expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 350]]);
  });

  test('a leg of an order that was cancelled without a refund is refunded its share alone, beside goods of the order’s own', async () => {
    const { id, legs } = await mixed(1);
    await byStatus(id, { refund: false });
    expect(refundOf(await byFulfilment(legs[0] ?? ''))).toEqual([200, ['succeeded', 350]]);
    expect(refundOf(await byStatus(id))).toEqual([200, ['succeeded', 290 + 50]]);
  });

  test('with the last leg of an order without a part of its own, all that is left is refunded', async () => {
    const { id, legs } = await mixed(2, false);
    expect(refundOf(await byFulfilment(legs[0] ?? ''))).toEqual([200, ['succeeded', 350]]);
    expect(refundOf(await byFulfilment(legs[1] ?? ''))).toEqual([200, ['succeeded', 400]]);
    expect((await stateOf(id))[1]).toBe('refunded');
  });
});
