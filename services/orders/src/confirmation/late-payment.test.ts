import { randomUUID } from 'node:crypto';
import { directorySlots } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findPayableOrder } from '../payment/tables/payable-orders.ts';
import { endUnpaidOrder } from '../payment/transactions.ts';
import { saveSlots } from '../shop/transactions.ts';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, logOf, takenOf, usedOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { expireUnpaidOrders, reconcilePayments } from './jobs.ts';
import { syncPayment } from './sagas.ts';

let running: Running;
let store: OpenStore;
let slot: { id: string; starts_at: string; ends_at: string; capacity: number };
let promoId: string;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  promoId = randomUUID();
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  slot = { id: randomUUID(), starts_at: at(2), ends_at: at(3), capacity: 1 };
  store = await running.openStore({}, menu, [slot], [{ id: promoId, code: 'SPRING', kind: 'percent', value: 10, max_uses: 1 }]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const cake = [{ menu_item_id: 'last-cake', quantity: 1 }];
const counts = async () => [await takenOf(running, store.id), await usedOf(running, slot.id), await usesOf(running, promoId)];
const refundsOf = (intentId: string) => running.payments.books().refunds.filter(({ payment_intent }) => payment_intent === intentId);
const typesOf = async (orderId: string) => (await eventsOf(running, orderId)).map(({ type }) => type);
const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order;

const end = async (orderId: string, as: 'expired' | 'cancelled' = 'expired') =>
  await running.service.database.transaction((tx) =>
    endUnpaidOrder(tx, { storeId: store.id, orderId, as, title: 'The order expired because it was not paid in time' }),
  );

async function paidLate(request: Record<string, unknown> = {}, as: 'expired' | 'cancelled' = 'expired', meanwhile = async () => {}) {
  const ada = customer(running);
  const { body: order } = await ada.create(store, { items: cake, slot_id: slot.id, promo_code: 'spring', ...request });
  expect(await counts()).toEqual([1, 1, 1]);
  await end(order.order_id, as);
  expect(await counts()).toEqual([0, 0, 0]);
  await meanwhile();
  await pay(running, order.payment_intent_id);
  return { order, confirm: (): Promise<ApiResponse> => ada.confirm(store, order.payment_intent_id) };
}

describe('a late payment whose holds are still available', () => {
  test('an order that had expired takes its holds again and is paid once', async () => {
    const { order, confirm } = await paidLate();
    const responses = await Promise.all(Array.from({ length: 8 }, confirm));
    for (const { status, body } of responses) {
      expect([status, body.status, body.fulfilment_status, body.total_pence]).toEqual([200, 'paid', 'accepted', 450]);
      expect(body.collection_code).toBe(responses[0]?.body.collection_code);
    }
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await ledgerOf(running, order.order_id)).toEqual([{ kind: 'charge', amount_pence: 450 }]);
    expect(await logOf(running, order.order_id)).toEqual(['placed', 'expired', 'paid']);
    expect(await typesOf(order.order_id)).toEqual(['order.expired', 'order.paid', 'order.fulfilment_changed']);
    expect(refundsOf(order.payment_intent_id)).toEqual([]);
    const { body } = await worker(running, store).call('GET', `/api/v1/orders?store_id=${store.id}`);
    expect(body.orders).toMatchObject([{ id: order.order_id, status: 'paid' }]);
    const log = await worker(running, store).call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`);
    expect(JSON.stringify(log.body)).toContain('after the order had ended');
  });

  test('its holds are unavailable to others, and released when the order is cancelled', async () => {
    const { order, confirm } = await paidLate();
    await confirm();
    const next = await customer(running).create(store, { items: cake });
    expect(next.body.error.code).toBe('OUT_OF_STOCK');
    await worker(running, store).advance(order.order_id, 'cancelled');
    expect(await counts()).toEqual([0, 0, 1]);
  });

  test('a mixed order is paid with all its legs', async () => {
    const groups = [
      { role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] },
      { role: 'collect', items: cake, slot_id: slot.id },
    ];
    const { order, confirm } = await paidLate({ items: [], slot_id: undefined, fulfilment_groups: groups });
    const { body } = await confirm();
    expect(body.children).toMatchObject([{ fulfilment_status: 'accepted' }]);
    expect(body.children[0].collection_code).toMatch(/^[2-9A-Z]{4}$/);
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await statusOf(order.order_id)).toMatchObject({ status: 'paid' });
  });

  test('the expiring job marks an order paid when it finds the intent paid', async () => {
    const ada = customer(running);
    const { body: order } = await ada.create(store, { items: cake, slot_id: slot.id });
    await pay(running, order.payment_intent_id);
    running.clock.advance({ minutes: running.service.context.holdMinutes + 1 });
    await Promise.all([1, 2, 3].map(() => expireUnpaidOrders(running.service.context)));
    expect(await statusOf(order.order_id)).toMatchObject({ status: 'paid' });
    expect((await typesOf(order.order_id)).filter((type) => type === 'order.paid')).toHaveLength(1);
    expect((await counts()).slice(0, 2)).toEqual([1, 1]);
  });
});

async function confirmUntilPaidBack(confirm: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let response = await confirm();
  await until(
    async () => {
      response = await confirm();
      return response.body.status === 'refunded';
    },
    { describe: 'the refund' },
  );
  return response;
}

async function expectPaidBack(order: { order_id: string; payment_intent_id: string }, pence = 450, as = 'expired') {
  await until(async () => (await statusOf(order.order_id)).status === 'refunded', { describe: 'the refund' });
  expect(refundsOf(order.payment_intent_id).map(({ amount, status }) => [amount, status])).toEqual([[pence, 'succeeded']]);
  expect((await typesOf(order.order_id)).filter((type) => type !== 'order.refunded')).toEqual([`order.${as}`]);
  expect(await logOf(running, order.order_id)).toEqual(['placed', as, 'paid', 'refund_requested', 'refund_succeeded']);
  expect(await ledgerOf(running, order.order_id)).toEqual([
    { kind: 'charge', amount_pence: pence },
    { kind: 'refund', amount_pence: -pence },
  ]);
}

describe('a late payment whose holds are gone', () => {
  const others = {
    'the goods': () => customer(running).create(store, { items: cake }),
    'the place': () => customer(running).create(store, { slot_id: slot.id }),
    'the code': () => customer(running).create(store, { promo_code: 'spring' }),
  };
  test.each(Object.keys(others) as (keyof typeof others)[])(
    'is refunded once and takes nothing when another order took %s',
    async (what) => {
      const { order, confirm } = await paidLate({}, 'expired', async () => void (await others[what]()));
      const held = await counts();
      const responses = await Promise.all(Array.from({ length: 8 }, confirm));
      for (const { status, body } of responses) expect([status, body.fulfilment_status]).toEqual([200, 'cancelled']);
      expect((await confirmUntilPaidBack(confirm)).body).toMatchObject({
        status: 'refunded',
        fulfilment_status: 'cancelled',
        is_first_order: false,
      });
      await expectPaidBack(order);
      expect(await counts()).toEqual(held);
      const { body } = await worker(running, store).call('GET', `/api/v1/orders?store_id=${store.id}`);
      expect(body.orders).toEqual([]);
    },
  );

  test.each([
    ['was closed', () => [{ ...slot, open: false }]],
    ['was removed', () => []],
    ['has no free place', () => [{ ...slot, capacity: 0 }]],
  ])('is refunded when the slot %s', async (_name, slots) => {
    const { order, confirm } = await paidLate({}, 'expired', async () => {
      const published = directorySlots.data.parse({ version: 2, store_id: store.id, slots: slots() });
      await running.service.database.transaction((tx) => saveSlots(tx, published));
    });
    await confirmUntilPaidBack(confirm);
    await expectPaidBack(order);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('is refunded when the order was cancelled, although everything in it is still available', async () => {
    const { order, confirm } = await paidLate({}, 'cancelled');
    for (const { status, body } of await Promise.all(Array.from({ length: 8 }, confirm)))
      expect([status, body.fulfilment_status]).toEqual([200, 'cancelled']);
    await expectPaidBack(order, 450, 'cancelled');
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('is refunded even when no one confirms it and no event of it arrives', async () => {
    const { order } = await paidLate({}, 'cancelled');
    running.clock.advance({ minutes: 2 });
    await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
    await expectPaidBack(order, 450, 'cancelled');
  });

  test.each([
    ['a part of it was refunded at the dashboard', 100, [100, 350]],
    ['all of it was refunded at the dashboard', undefined, [450]],
  ])('is refunded as far as it is left when %s and no event said so', async (_name, amount, refunded) => {
    const { order, confirm } = await paidLate({}, 'cancelled');
    running.payments.controls.dashboardRefund(order.payment_intent_id, amount);
    await confirm();
    for (const _ of [1, 2]) {
      running.clock.advance({ minutes: 5 });
      await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
    }
    expect(refundsOf(order.payment_intent_id).map(({ amount }) => amount)).toEqual(refunded);
    expect(await statusOf(order.order_id)).toMatchObject({ status: 'refunded', refunded_pence: 450 });
    expect(await ledgerOf(running, order.order_id)).toEqual(
      [450, ...refunded.map((pence) => -pence)].map((amount_pence, n) => ({ kind: n === 0 ? 'charge' : 'refund', amount_pence })),
    );
  });

  test('that the provider declines to refund for another reason is asked for again, each time under a new key, until its dispute is lost', async () => {
    const { order, confirm } = await paidLate({}, 'cancelled');
    const dispute = running.payments.controls.openDispute(order.payment_intent_id);
    await confirm();
    const reconcileLater = async () => {
      running.clock.advance({ minutes: 5 });
      await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
    };
    for (const _ of [1, 2, 3]) await reconcileLater();
    expect(refundsOf(order.payment_intent_id)).toEqual([]);
    const keys = () => running.payments.books().posts.filter(({ key }) => key.startsWith(`refund:${order.order_id}`)).length;
    expect(keys()).toBe(4);
    expect(await logOf(running, order.order_id)).not.toContain('refund_failed');
    running.payments.controls.closeDispute(dispute.id, 'lost');
    await sendEventsAbout(running, dispute.id, 'charge.dispute.closed');
    for (const _ of [1, 2, 3]) {
      running.clock.advance({ minutes: 60 });
      await reconcileLater();
    }
    expect(keys()).toBe(5);
    expect((await logOf(running, order.order_id)).filter((kind) => kind === 'refund_failed')).toHaveLength(1);
  });

  test('is refunded once even when the process died before the refund or its response was lost', async () => {
    const { order, confirm } = await paidLate({}, 'expired', async () => void (await others['the goods']()));
    running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
    await confirm();
    running.payments.controls.clearFaults();
    running.clock.advance({ minutes: 1 });
    await Promise.all([1, 2, 3].map(() => reconcilePayments(running.service.context)));
    await expectPaidBack(order);
  });

  test('does not count as the customer’s first order', async () => {
    const ada = customer(running);
    const { body: notify } = await ada.create(store, { items: cake });
    await end(notify.order_id);
    await others['the goods']();
    await ada.payAndConfirm(store, notify);
    const order = await ada.paid(store);
    expect((await ada.confirm(store, order.payment_intent_id)).body.is_first_order).toBe(true);
  });
});

describe('the voucher of a late payment', () => {
  const reward = { value_kind: 'amount', value: 100, item_id: null } as const;

  test.each([
    ['that is still free is reserved again, and the order is paid', false],
    ['that another order has by now makes the payment be refunded', true],
  ])('%s', async (_name, taken) => {
    await using loyalty = await startLoyalty(running);
    const request = { voucher_id: randomUUID() };
    loyalty.issue(request.voucher_id, reward);
    const { order, confirm } = await paidLate({ ...request, promo_code: 'spring' }, 'expired', async () => {
      loyalty.issue(request.voucher_id, reward);
      if (taken) loyalty.refuse(request.voucher_id, 'VOUCHER_ALREADY_REDEEMED');
    });
    const { body } = await (taken ? confirmUntilPaidBack(confirm) : confirm());
    expect(body).toMatchObject({ status: taken ? 'refunded' : 'paid', total_pence: 360 });
    if (taken) await expectPaidBack(order, 360);
    expect(loyalty.holderOf(request.voucher_id)).toBe(taken ? null : order.order_id);
    expect(await counts()).toEqual(taken ? [0, 0, 0] : [1, 1, 1]);
  });

  test('that is lost while the provider is asked makes the payment be refunded', async () => {
    await using loyalty = await startLoyalty(running);
    const request = { voucher_id: randomUUID() };
    loyalty.issue(request.voucher_id, reward);
    const { body: order } = await customer(running).create(store, { items: cake, ...request });
    await pay(running, order.payment_intent_id);
    const { context } = running.service;
    const found = await findPayableOrder(context.database, { storeId: store.id, orderId: order.order_id });
    if (!found) throw new Error('the order was not placed');
    const intent = async (id: string) => {
      await end(order.order_id);
      loyalty.refuse(request.voucher_id, 'VOUCHER_ALREADY_REDEEMED');
      return await context.payments.intent(id);
    };
    await syncPayment({ ...context, payments: { ...context.payments, intent } }, found, order.payment_intent_id, null);
    expect(refundsOf(order.payment_intent_id)).toHaveLength(1);
    expect(await statusOf(order.order_id)).toMatchObject({ status: 'refunded', fulfilment_status: 'cancelled' });
  });
});
