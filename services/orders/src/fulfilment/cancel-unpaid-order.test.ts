// covers: setBusinessStatus

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders, reconcilePayments } from '../confirmation/jobs.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { codeOf, customer, pay, worker } from '../testing/callers.ts';
import { eventOf, publish, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, usesOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';
import { cancelUnpaidOrder } from './sagas.ts';
import { cancelWithRefund } from './transactions/cancel-order.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  slot = slotIn(running, 60, 500);
  store = await running.openStore({}, countedMenu, [slot], [promo]);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const promo = { id: randomUUID(), code: 'TENOFF', kind: 'percent' as const, value: 10 };
const cake = { items: [{ menu_item_id: 'cake', quantity: 2 }] };

const scheduled = () => ({ ...cake, slot_id: slot.id, promo_code: 'TENOFF' });
const owner = () => worker(running, store, 'merchant');
const staff = () => worker(running, store);
const publishedTypes = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);

describe('cancelling an unpaid order', () => {
  const intentOf = (id: string) => running.payments.controls.books().intents.find((intent) => intent.id === id);

  test('cancels the intent at the provider first, then releases all holds', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const uses = await usesOf(running, promo.id);
    const { status, body } = await setStatus(staff(), store, order.order_id, 'cancelled', 'Closing early');
    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    expect(intentOf(order.payment_intent_id)?.status).toBe('canceled');
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'released', stock: 'released', promo: 'released' });
    expect(await usesOf(running, promo.id)).toBe(uses - 1);
    expect(await eventsOf(running, order.order_id)).toMatchObject([
      { type: 'order.cancelled', data: { was_paid: false, reason: 'Closing early' } },
    ]);
    const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
    expect(entries[0]).toMatchObject({ title: 'The order was cancelled before it was paid', detail: 'Closing early', actor: 'Ada' });
    const before = await wholeStore(running, store);
    expect((await setStatus(staff(), store, order.order_id, 'cancelled')).body).toEqual(body);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('releases the holds once when twenty requests come at once', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const responses = await Promise.all(Array.from({ length: 20 }, () => setStatus(staff(), store, order.order_id, 'cancelled')));
    expect(responses.map(({ status, body }) => [status, body.order?.status])).toEqual(Array(20).fill([200, 'cancelled']));
    expect(await publishedTypes(order.order_id)).toEqual(['order.cancelled']);
  });

  test('keeps no money, while paying and confirming run at once, unless the order was paid first: its refund is a step of its own', async () => {
    for (let round = 0; round < 8; round += 1) {
      const ada = customer(running);
      const { body: order } = await ada.create(store, scheduled());
      const paying = pay(running, order.payment_intent_id).then(() => ada.confirm(store, order.payment_intent_id));
      await Promise.all([paying, setStatus(staff(), store, order.order_id, 'cancelled')]);
      const took = intentOf(order.payment_intent_id)?.status === 'succeeded';
      const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
      const paidFirst = entries.some(({ detail }: { detail: string | null }) => detail?.startsWith('No refund was made.'));
      const kinds = paidFirst ? ['charge'] : ['charge', 'refund'];
      expect((await ledgerOf(running, order.order_id)).map(({ kind }) => kind)).toEqual(took ? kinds : []);
      expect((await publishedTypes(order.order_id)).filter((type) => type === 'order.cancelled')).toHaveLength(1);
    }
  });

  test('fails with PAYMENT_MISMATCH when a payment succeeded that does not match the order', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    await pay(running, order.payment_intent_id);
    await running.service.database.query(sql.type(z.object({}))`
      update orders set total_pence = total_pence + 1 where id = ${order.order_id}`);
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([409, 'PAYMENT_MISMATCH']);
    expect(await ledgerOf(running, order.order_id)).toEqual([]);
  });

  test('is refused while the payment is being processed, and releases nothing', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    await pay(running, order.payment_intent_id, 'pm_card_processing');
    const before = await wholeStore(running, store);
    const { status, body } = await setStatus(staff(), store, order.order_id, 'cancelled');
    expect([status, body.error.code, body.error.message]).toEqual([409, 'ORDER_NOT_PAID', expect.stringContaining('being processed')]);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('fails with PAYMENT_PROVIDER_ERROR and releases nothing when the provider is down or does not know the intent', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const before = await wholeStore(running, store);
    running.payments.controls.failNext({ how: 'error_before', path: '/cancel', times: 10 });
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    running.payments.controls.clearFaults();
    expect(await wholeStore(running, store)).toEqual(before);
    await running.service.database.query(
      sql.type(z.object({}))`update orders set payment_intent_id = 'pi_nowhere' where id = ${order.order_id}`,
    );
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'held', stock: 'held', promo: 'held' });
  });

  test('is refused for an expired order, and an unpaid one cannot become ready or fulfilled', async () => {
    const { body: order } = await customer(running).create(store);
    for (const status of ['ready', 'fulfilled']) {
      expect(codeOf(await setStatus(staff(), store, order.order_id, status))).toEqual([409, 'ORDER_NOT_PAID']);
    }
    await running.service.database.query(sql.type(z.object({}))`update orders set payment_status = 'expired' where id = ${order.order_id}`);
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([409, 'ORDER_NOT_PAID']);
  });
});

describe('cancelling an order that is being paid', () => {
  beforeAll(async () => {
    slot = slotIn(running, 60_000, 500);
    store = await running.openStore({}, countedMenu, [slot], [{ id: randomUUID(), code: 'TENOFF', kind: 'percent', value: 10 }]);
  });
  afterEach(async () => {
    running.payments.controls.clearFaults();
    expect(await miscounted(running)).toEqual([]);
  });

  const by = { actor: 'Ada', note: null };
  const later = async (minutes = 1) => {
    running.clock.advance({ minutes });
    await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
  };

  async function unpaid() {
    const ada = customer(running);
    const request = { items: [{ menu_item_id: 'cake', quantity: 2 }], slot_id: slot.id, promo_code: 'TENOFF' };
    const { body } = await ada.create(store, request);
    const id: string = body.order_id;
    const intent: string = body.payment_intent_id;
    const row = (await findOrder(running.service.database, store.id, id)) as OrderRow;
    return { id, intent, row, confirm: () => ada.confirm(store, intent) };
  }

  async function expectRefunded({ id, intent }: { readonly id: string; readonly intent: string }) {
    const { body } = await staff().get(id);
    expect(body.order).toMatchObject({ status: 'refunded', fulfilment_status: 'cancelled' });
    expect(await ledgerOf(running, id)).toEqual([
      { kind: 'charge', amount_pence: 720 },
      { kind: 'refund', amount_pence: -720 },
    ]);
    const { refunds, transfers, charges } = running.payments.books();
    expect(refunds.filter(({ payment_intent }) => payment_intent === intent).map(({ amount }) => amount)).toEqual([720]);
    const charge = charges.find(({ payment_intent }) => payment_intent === intent);
    expect(transfers.find(({ id: transfer }) => transfer === charge?.transfer)).toMatchObject({ amount: 720, amount_reversed: 720 });
    expect(await holdsOf(running, id)).toEqual({ slot: 'released', stock: 'released', promo: 'released' });
    expect((await eventsOf(running, id)).filter(({ type }) => type === 'order.cancelled')).toHaveLength(1);
  }

  test('a payment that succeeded before the intent was cancelled is refunded, and the order is cancelled', async () => {
    const order = await unpaid();
    await pay(running, order.intent);
    const { status, body } = await setStatus(staff(), store, order.id, 'cancelled', 'Oven broke.');
    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    await expectRefunded(order);
    const { entries } = (await worker(running, store, 'merchant').call('GET', `/api/v1/orders/${order.id}/log?store_id=${store.id}`)).body;
    expect(entries.map(({ title }: { title: string }) => title)).toContain('Payment was received after the order had ended');
    expect(JSON.stringify(entries)).not.toContain('can be refunded');
    expect((await setStatus(staff(), store, order.id, 'cancelled')).status).toBe(200);
    await expectRefunded(order);
  });

  test.each(['a confirm', 'a webhook'])('a payment that %s recorded while the order was being cancelled is refunded', async (who) => {
    const order = await unpaid();
    await pay(running, order.intent);
    if (who === 'a confirm') await order.confirm();
    else await publish(running, eventOf('payment_intent.succeeded', order.intent));
    await untilProcessed(running);
    // The cancelling request had read the order before.
    const cancelled = await cancelUnpaidOrder(running.service.context, order.row, by);
    expect(cancelled.business_status).toBe('cancelled');
    await expectRefunded(order);
    await order.confirm();
    await later();
    await expectRefunded(order);
  });

  test('twenty cancelling requests, a confirm and a webhook at once end in one refund', async () => {
    const order = await unpaid();
    await pay(running, order.intent);
    await Promise.all([
      ...Array.from({ length: 20 }, () => cancelUnpaidOrder(running.service.context, order.row, by)),
      order.confirm(),
      publish(running, eventOf('payment_intent.succeeded', order.intent)),
    ]);
    await untilProcessed(running);
    await expectRefunded(order);
  });

  test.each(
    (['error_before', 'error_after', 'lost_before', 'lost_after'] as const).flatMap((how) =>
      [1, 3, 4].map((times) => [how, times] as const),
    ),
  )('after %s of POST /v1/refunds, %i times, the refund is made all the same', async (how, times) => {
    const order = await unpaid();
    await pay(running, order.intent);
    running.payments.controls.failNext({ how, path: '/v1/refunds', times, method: 'POST' });
    expect((await setStatus(staff(), store, order.id, 'cancelled')).status).toBe(200);
    for (let n = 0; n <= times; n += 1) await later();
    await expectRefunded(order);
  });

  test.each(['error_after', 'lost_after'] as const)(
    'after %s of the intent’s cancellation, the order is cancelled without a payment',
    async (how) => {
      const order = await unpaid();
      running.payments.controls.failNext({ how, path: '/cancel', method: 'POST' });
      expect((await setStatus(staff(), store, order.id, 'cancelled')).status).toBe(200);
      await pay(running, order.intent);
      expect((await order.confirm()).body.error.code).toBe('PAYMENT_NOT_SUCCEEDED');
      expect(await ledgerOf(running, order.id)).toEqual([]);
    },
  );

  test('a process that stops once the intent is cancelled leaves an order that expires', async () => {
    const order = await unpaid();
    await running.service.context.payments.cancelIntent(order.intent);
    running.clock.advance({ minutes: 20 });
    await expireUnpaidOrders(running.service.context);
    expect((await staff().get(order.id)).body.order.status).toBe('expired');
    expect(await ledgerOf(running, order.id)).toEqual([]);
  });

  test('a process that stops once it found the payment leaves an order that is paid', async () => {
    const order = await unpaid();
    await pay(running, order.intent);
    await later();
    expect((await staff().get(order.id)).body.order.status).toBe('paid');
  });

  test('a cancellation that stopped before the order was paid is repeated after the payment: the order is cancelled and the payment refunded', async () => {
    const order = await unpaid();
    running.payments.controls.failNext({ how: 'lost_before', path: '/cancel', method: 'POST', times: 4 });
    expect((await setStatus(staff(), store, order.id, 'cancelled')).status).toBe(502);
    running.payments.controls.clearFaults();
    await pay(running, order.intent);
    expect((await order.confirm()).status).toBe(200);
    expect((await setStatus(staff(), store, order.id, 'cancelled')).body.order.status).toBe('cancelled');
    await expectRefunded(order);
  });

  test('a cancellation that was refused while the payment was processed leaves no refund to a later one', async () => {
    const order = await unpaid();
    await pay(running, order.intent, 'pm_card_processing');
    expect((await setStatus(staff(), store, order.id, 'cancelled')).body.error.code).toBe('ORDER_NOT_PAID');
    expect((await findOrder(running.service.database, store.id, order.id))?.cancel_begun_at).toBeNull();
  });

  test('a process that stops once the refund is reserved leaves it to the reconciling job', async () => {
    const order = await unpaid();
    await pay(running, order.intent);
    await order.confirm();
    await running.service.database.transaction((tx) => cancelWithRefund(tx, { storeId: store.id, orderId: order.id, by }));
    await later();
    await expectRefunded(order);
  });

  test('an order that was paid and handed over meanwhile stays paid, and the cancelling request is refused', async () => {
    const order = await unpaid();
    await pay(running, order.intent);
    await order.confirm();
    for (const step of ['preparing', 'ready', 'collected']) await staff().advance(order.id, step);
    await expect(cancelUnpaidOrder(running.service.context, order.row, by)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await ledgerOf(running, order.id)).toHaveLength(1);
  });

  test('while the payment is being processed, cancelling is refused with a time to try again', async () => {
    const order = await unpaid();
    await pay(running, order.intent, 'pm_card_processing');
    const { status, body, headers } = await setStatus(staff(), store, order.id, 'cancelled');
    expect([status, body.error.code, Number(headers.get('retry-after')) > 0]).toEqual([409, 'ORDER_NOT_PAID', true]);
    const confirmed = await order.confirm();
    expect([confirmed.status, confirmed.body.error.code]).toEqual([409, 'PAYMENT_NOT_SUCCEEDED']);
    expect(confirmed.headers.get('retry-after')).toBe('2');
    const refund = await staff().refund(order.id);
    expect([refund.body.error.code, refund.headers.get('retry-after')]).toEqual(['ORDER_NOT_PAID', '5']);
  });
});
