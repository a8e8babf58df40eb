import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { codeOf, customer, pay, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  slot = slotIn(running, 600, 500);
  store = await running.openStore({}, countedMenu, [slot], [promo]);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const promo = { id: randomUUID(), code: 'TENOFF', kind: 'percent' as const, value: 10 };
const scheduled = () => ({ items: [{ menu_item_id: 'cake', quantity: 2 }], slot_id: slot.id, promo_code: 'TENOFF' });
const staff = () => worker(running, store);
type Customer = ReturnType<typeof customer>;
const cancel = (by: Customer, orderId: string, of = store) => by.call('POST', `/api/v1/orders/${orderId}/cancel`, { store_id: of.id });
const logTitles = async (orderId: string): Promise<readonly string[]> => {
  const { body } = await staff().call('GET', `/api/v1/orders/${orderId}/log?store_id=${store.id}`);
  return body.entries.map(({ title }: { title: string }) => title);
};
const refundsOf = async (orderId: string) =>
  (await ledgerOf(running, orderId)).flatMap(({ kind, amount_pence }) => (kind === 'refund' ? [amount_pence] : []));

async function mixedOrder(by: Customer) {
  const leg = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };
  const now = { role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] };
  const { order_id: id } = await by.paid(store, { items: [], fulfilment_groups: [now, leg, leg], tip_pence: 100 });
  const { body } = await by.call('GET', `/api/v1/orders/${id}/mine`);
  return { id, legs: body.order.children.map((child: { order_id: string }) => child.order_id) as readonly string[] };
}

describe('a paid order that is not being prepared', () => {
  test('is cancelled and refunded in full in one request, and gives back its place, stock and promo code', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, scheduled());
    const taken = await takenOf(running, store.id, 'cake');
    const { status, body } = await cancel(ada, id);
    expect([status, body.order]).toMatchObject([
      200,
      { id, status: 'refunded', fulfilment_status: 'cancelled', cancelled_by: 'customer', refunded_pence: 720 },
    ]);
    expect(await refundsOf(id)).toEqual([-720]);
    expect(await takenOf(running, store.id, 'cake')).toBe(taken - 2);
    expect(await holdsOf(running, id)).toEqual({ slot: 'released', stock: 'released', promo: 'released' });
    const published = (await eventsOf(running, id)).slice(2);
    expect(published.map(({ type }) => type)).toEqual(['order.fulfilment_changed', 'order.cancelled', 'order.refunded']);
    expect(published[1]?.data).toMatchObject({ was_paid: true, by: 'customer' });
    expect(published[2]?.data).toMatchObject({ full: true });
  });

  test('shows the store who cancelled it, in the order and in the log', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store);
    await cancel(ada, id);
    expect((await staff().get(id)).body.order).toMatchObject({ cancelled_by: 'customer', status: 'refunded' });
    expect((await logTitles(id)).slice(0, 3)).toEqual([
      'The refund was accepted',
      'A refund was requested',
      'The customer cancelled the order',
    ]);
    const history = (await staff().call('GET', `/api/v1/orders?store_id=${store.id}&scope=history`)).body.orders;
    expect(history.map((order: { id: string }) => order.id)).toContain(id);
    const { order_id: byStaff } = await customer(running).paid(store);
    await setStatus(staff(), store, byStaff, 'cancelled');
    expect((await staff().get(byStaff)).body.order.cancelled_by).toBe('store');
  });

  test('is refunded only what is left, and gives back the voucher of an order that cost nothing', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store);
    await staff().refund(id, { amount_pence: 140 });
    expect((await cancel(ada, id)).body.order).toMatchObject({ status: 'refunded', refunded_pence: 640 });
    expect(await refundsOf(id)).toEqual([-140, -500]);
    const { order_id: free } = await ada.paid(store, { items: [{ menu_item_id: 'sample', quantity: 1 }], order_type: 'collect' });
    expect((await cancel(ada, free)).body.order.status).toBe('refunded');
    expect((await eventsOf(running, free)).at(-1)).toMatchObject({ type: 'order.refunded', data: { full: true, amount_pence: 0 } });
  });

  test('is cancelled and refunded once by ten requests at once, and by later ones', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, scheduled());
    const responses = await Promise.all(Array.from({ length: 10 }, () => cancel(ada, id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await refundsOf(id)).toEqual([-720]);
    expect((await eventsOf(running, id)).filter(({ type }) => type === 'order.cancelled')).toHaveLength(1);
    const before = await wholeStore(running, store);
    expect((await cancel(ada, id)).body.order.status).toBe('refunded');
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('is cancelled although the provider does not respond, and the refund follows', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store);
    running.payments.controls.failNext({ how: 'error_before', path: '/v1/refunds', method: 'POST', times: 3 });
    const { status, body } = await cancel(ada, id);
    running.payments.controls.clearFaults();
    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    running.clock.advance({ hours: 2 });
    await reconcilePayments(running.service.context);
    expect(await refundsOf(id)).toEqual([-640]);
  });
});

describe('an order of several parts', () => {
  test('loses one part with its share, and with the whole order all that is left with the tip', async () => {
    const ada = customer(running);
    const { id, legs } = await mixedOrder(ada);
    expect((await cancel(ada, legs[0] ?? '')).body.order).toMatchObject({ id, status: 'partially_refunded', refunded_pence: 350 });
    expect((await cancel(ada, id)).body.order).toMatchObject({ status: 'refunded', refunded_pence: 1090 });
    expect(await refundsOf(id)).toEqual([-350, -740]);
  });

  test('is not cancelled as a whole while a part of it is being prepared', async () => {
    const ada = customer(running);
    const { id, legs } = await mixedOrder(ada);
    await staff().advance(legs[0] ?? '', 'preparing');
    expect(codeOf(await cancel(ada, id))).toEqual([409, 'TOO_LATE_TO_CANCEL']);
    expect(codeOf(await cancel(ada, legs[0] ?? ''))).toEqual([409, 'TOO_LATE_TO_CANCEL']);
    expect((await cancel(ada, legs[1] ?? '')).status).toBe(200);
  });

  test('that consists of legs alone gives back the tip with the last of them', async () => {
    const ada = customer(running);
    const leg = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };
    const { order_id: id } = await ada.paid(store, { items: [], fulfilment_groups: [leg, leg], tip_pence: 100 });
    const { body } = await ada.call('GET', `/api/v1/orders/${id}/mine`);
    for (const child of body.order.children) await cancel(ada, child.order_id);
    expect(await refundsOf(id)).toEqual([-350, -450]);
    expect((await staff().get(id)).body.order).toMatchObject({ status: 'refunded', cancelled_by: 'customer' });
  });
});

describe('the store and the customer at once', () => {
  test('one of preparing and cancelling wins, and money goes back only if it was cancelled', async () => {
    for (let round = 0; round < 8; round += 1) {
      const ada = customer(running);
      const { order_id: id } = await ada.paid(store, { order_type: 'collect' });
      const [byAda, byStaff] = await Promise.all([cancel(ada, id), staff().advance(id, 'preparing')]);
      expect([byAda.status, byStaff.status].sort()).toEqual([200, 409]);
      expect(await refundsOf(id)).toEqual(byAda.status === 200 ? [-640] : []);
      expect(await holdsOf(running, id)).toEqual({});
    }
  });

  test('both cancel: it is cancelled once, and refunded at most once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = customer(running);
      const { order_id: id } = await ada.paid(store, scheduled());
      const responses = await Promise.all([cancel(ada, id), setStatus(staff(), store, id, 'cancelled')]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect((await logOf(running, id)).filter((kind) => kind === 'cancelled')).toHaveLength(1);
      const { cancelled_by, refunded_pence } = (await staff().get(id)).body.order;
      expect(refunded_pence).toBe(cancelled_by === 'customer' ? 720 : 0);
    }
  });
});

test('an unpaid order is cancelled with its intent, and gives back what it holds', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store, scheduled());
  expect((await cancel(ada, order.order_id)).body.order).toMatchObject({ status: 'cancelled', cancelled_by: 'customer' });
  expect((await pay(running, order.payment_intent_id)).error).toBeDefined();
  expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'released', stock: 'released', promo: 'released' });
  expect((await eventsOf(running, order.order_id)).at(-1)).toMatchObject({
    type: 'order.cancelled',
    data: { was_paid: false, by: 'customer' },
  });
  expect((await logTitles(order.order_id))[0]).toBe('The customer cancelled the order before it was paid');
});

describe('an unpaid order is not cancelled', () => {
  test('while its payment is being processed, with ORDER_NOT_PAID', async () => {
    const ada = customer(running);
    const { body: order } = await ada.create(store);
    await pay(running, order.payment_intent_id, 'pm_card_processing');
    expect(codeOf(await cancel(ada, order.order_id))).toEqual([409, 'ORDER_NOT_PAID']);
  });

  test('when a payment succeeded that is not its own, with PAYMENT_MISMATCH', async () => {
    const ada = customer(running);
    const { body: order } = await ada.create(store);
    await pay(running, order.payment_intent_id);
    await running.service.database.query(sql.type(z.object({}))`
      update orders set total_pence = total_pence + 1 where id = ${order.order_id}`);
    expect(codeOf(await cancel(ada, order.order_id))).toEqual([409, 'PAYMENT_MISMATCH']);
  });

  test('while the provider does not say what became of its payment, with PAYMENT_PROVIDER_ERROR', async () => {
    const ada = customer(running);
    const { body: order } = await ada.create(store);
    running.payments.controls.failNext({ how: 'lost_before', path: '/cancel', method: 'POST', times: 4 });
    expect(codeOf(await cancel(ada, order.order_id))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    running.payments.controls.clearFaults();
    expect((await cancel(ada, order.order_id)).body.order.status).toBe('cancelled');
  });
});

describe('nothing changes', () => {
  test('for an order that is being prepared, ready, handed over or cancelled by the store', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, { order_type: 'collect' });
    for (const step of ['preparing', 'ready', 'collected']) {
      await staff().advance(id, step);
      expect(codeOf(await cancel(ada, id))).toEqual([409, 'TOO_LATE_TO_CANCEL']);
    }
    const { order_id: atOnce } = await ada.paid(store);
    await setStatus(staff(), store, atOnce, 'ready');
    expect(codeOf(await cancel(ada, atOnce))).toEqual([409, 'TOO_LATE_TO_CANCEL']);
    await setStatus(staff(), store, atOnce, 'cancelled');
    expect((await cancel(ada, atOnce)).body.order).toMatchObject({ status: 'cancelled', cancelled_by: 'store', refunded_pence: 0 });
  });

  test('for an order of another customer or store, an unknown one, and for staff', async () => {
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store);
    const other = await running.openStore();
    const before = await wholeStore(running, store);
    expect(codeOf(await cancel(customer(running), id))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await cancel(ada, id, other))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await cancel(ada, randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
    const byStaff = await staff().call('POST', `/api/v1/orders/${id}/cancel`, { store_id: store.id });
    expect(codeOf(byStaff)).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect((await ada.call('POST', `/api/v1/orders/${id}/cancel`, {})).status).toBe(400);
    expect(await wholeStore(running, store)).toEqual(before);
  });
});
