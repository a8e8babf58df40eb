import { randomUUID } from 'node:crypto';
import { releaseVoucher } from '@corner/contracts';
import type { FaultKind } from '@corner/sandbox/payments';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { releaseUnpreparedOrder } from '../checkout/sagas/prepare-payment.ts';
import { readOrderToPrepare } from '../checkout/tables/placed-orders.ts';
import { holdAgain } from '../checkout/transactions.ts';
import { expireUnpaidOrders, reconcilePayments } from '../confirmation/jobs.ts';
import { orderIdFor } from '../payment/sagas.ts';
import { basketOf, customer, worker } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { eventsOf, ledgerOf, takenOf, usedOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { miscounted, slotIn } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('an error of the provider', () => {
  afterEach(async () => {
    running.payments.controls.clearFaults();
    expect(await miscounted(running)).toEqual([]);
  });

  const books = () => running.payments.books();
  const intentsOf = (storeId: string) => books().intents.filter(({ metadata }) => metadata.store_id === storeId);
  const fail = (how: FaultKind, path: string, times: number) => running.payments.controls.failNext({ how, path, times, method: 'POST' });
  const reused = (path: string, ...ids: readonly string[]) =>
    books().posts.filter((post) => post.path === path && post.received > 1 && ids.some((id) => post.key.includes(id)));

  const cake = [{ menu_item_id: 'last-cake', quantity: 1 }];

  async function openScarceStore() {
    const slot = slotIn(running, 60, 1);
    const promo = { id: randomUUID(), code: 'ONCE', kind: 'percent' as const, value: 10, max_uses: 1, max_per_customer: 1 };
    const store = await running.openStore({}, menu, [slot], [promo]);
    const counts = async () => [await takenOf(running, store.id), await usedOf(running, slot.id), await usesOf(running, promo.id)];
    const basket = (request: Record<string, unknown> = {}) =>
      basketOf(store, { items: cake, slot_id: slot.id, promo_code: 'once', ...request });
    return { store, counts, basket };
  }

  const creating = ['/v1/customers', '/v1/payment_intents', '/v1/ephemeral_keys'] as const;
  const errors = ['error_before', 'error_after'] as const;
  const each = creating.flatMap((path) => errors.flatMap((how) => [1, 2].map((times) => [how, path, times] as const)));

  describe('an error that the provider keeps under its key', () => {
    test.each(each)('%s of POST %s, %i times, still ends in a payable order with one intent', async (how, path, times) => {
      const { store, counts, basket } = await openScarceStore();
      fail(how, path, times);
      const ada = customer(running);
      const request = basket();
      const { status, body } = await ada.call('POST', '/api/v1/orders', request);
      expect([status, body.requires_payment]).toEqual([200, true]);
      expect(body.client_secret).toContain(body.payment_intent_id);
      expect(body.ephemeral_key).toMatch(/^ek_/);
      expect(intentsOf(store.id).map(({ id, status: state }) => [id, state])).toEqual([
        [body.payment_intent_id, 'requires_payment_method'],
      ]);
      expect(books().customers.filter(({ metadata }) => metadata.customer_id === ada.sub)).toHaveLength(1);
      expect(reused(path, body.order_id, ada.sub)).toEqual([]);
      expect((await ada.call('POST', '/api/v1/orders', request)).body).toEqual(body);
      expect((await ada.payAndConfirm(store, body)).body.status).toBe('paid');
      expect(await counts()).toEqual([1, 1, 1]);
    });

    test.each(creating)(
      'error_before of POST %s on every attempt gives back all holds, and the repeat with the same key takes them up',
      async (path) => {
        const { store, counts, basket } = await openScarceStore();
        fail('error_before', path, 3);
        const ada = customer(running);
        const request = basket();
        const failed = await ada.call('POST', '/api/v1/orders', request);
        expect([failed.status, failed.body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
        expect(await counts()).toEqual([0, 0, 0]);
        const { status, body } = await ada.call('POST', '/api/v1/orders', request);
        expect([status, body.requires_payment]).toEqual([200, true]);
        expect(await counts()).toEqual([1, 1, 1]);
        expect(reused(path, body.order_id, ada.sub)).toEqual([]);
        expect(intentsOf(store.id).filter(({ status: state }) => state !== 'canceled')).toHaveLength(1);
        expect((await ada.payAndConfirm(store, body)).body.status).toBe('paid');
        expect(await counts()).toEqual([1, 1, 1]);
      },
    );

    test.each(creating)(
      'after error_before of POST %s on every attempt, another key of the same customer gets the last one',
      async (path) => {
        const { store, counts, basket } = await openScarceStore();
        fail('error_before', path, 3);
        const ada = customer(running);
        const first = basket();
        expect((await ada.call('POST', '/api/v1/orders', first)).status).toBe(502);
        const { status, body } = await ada.call('POST', '/api/v1/orders', basket());
        expect([status, body.requires_payment]).toEqual([200, true]);
        expect((await ada.payAndConfirm(store, body)).body.status).toBe('paid');
        // The first key finds its holds gone, and takes nothing.
        const gone = await ada.call('POST', '/api/v1/orders', first);
        expect([gone.status, gone.body.error.code]).toEqual([409, 'SLOT_JUST_FILLED']);
        expect(await counts()).toEqual([1, 1, 1]);
      },
    );

    test('locks a customer out of no other store', async () => {
      const [one, other] = [await openScarceStore(), await openScarceStore()];
      fail('error_before', '/v1/customers', 3);
      const ada = customer(running);
      expect((await ada.call('POST', '/api/v1/orders', one.basket())).status).toBe(502);
      expect((await ada.call('POST', '/api/v1/orders', other.basket())).status).toBe(200);
    });

    test('gives back the voucher of an order that a repeat took up meanwhile, and the order has it all the same', async () => {
      await using loyalty = await startLoyalty(running);
      const { store } = await openScarceStore();
      const voucher_id = randomUUID();
      loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
      fail('error_before', '/v1/payment_intents', 3);
      const ada = customer(running);
      const request = basketOf(store, { voucher_id });
      const { context } = running.service;
      const call: typeof context.call = async (rpc, input) => {
        if (rpc.name === releaseVoucher.name) expect((await ada.call('POST', '/api/v1/orders', request)).status).toBe(200);
        return await context.call(rpc, input);
      };
      // Another repeat resumes the order after its release, and before its voucher is released.
      const orderId = orderIdFor(ada.sub, request.idempotency_key);
      expect((await ada.call('POST', '/api/v1/orders', request)).status).toBe(502);
      await context.database.transaction((tx) => holdAgain(tx, { storeId: store.id, orderId, minutes: 15 }));
      await releaseUnpreparedOrder(await readOrderToPrepare(context.database, orderId, 'test'), null, { ...context, call });
      expect(loyalty.holderOf(voucher_id)).toBe(orderId);
    });

    test('gives back the voucher too, and the repeat reserves it again', async () => {
      await using loyalty = await startLoyalty(running);
      const { store } = await openScarceStore();
      const voucher_id = randomUUID();
      loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
      fail('error_before', '/v1/payment_intents', 3);
      const ada = customer(running);
      const request = basketOf(store, { voucher_id });
      expect((await ada.call('POST', '/api/v1/orders', request)).status).toBe(502);
      expect(loyalty.holderOf(voucher_id)).toBeNull();
      const { body } = await ada.call('POST', '/api/v1/orders', request);
      expect([body.requires_payment, body.amount_pence]).toEqual([true, 540]);
      expect(loyalty.holderOf(voucher_id)).toBe(body.order_id);
    });
  });

  describe('two requests at once', () => {
    test.each(errors)('of a customer’s first order, while creating the customer ends in %s, make one customer', async (how) => {
      const store = await running.openStore();
      fail(how, '/v1/customers', 1);
      const ada = customer(running);
      const responses = await Promise.all([1, 2].map(() => ada.create(store)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set(responses.map(({ body }) => body.payment_customer_id)).size).toBe(1);
      expect(books().customers.filter(({ metadata }) => metadata.customer_id === ada.sub)).toHaveLength(1);
    });

    test.each(errors)('with one key, while creating the intent ends in %s, leave one intent that can be paid', async (how) => {
      const store = await running.openStore();
      fail(how, '/v1/payment_intents', 1);
      const ada = customer(running);
      const request = basketOf(store);
      const responses = await Promise.all([1, 2, 3].map(() => ada.call('POST', '/api/v1/orders', request)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      const open = intentsOf(store.id).filter(({ status }) => status !== 'canceled');
      expect(responses.map(({ body }) => body.payment_intent_id)).toEqual(Array(3).fill(open[0]?.id));
      expect(open).toHaveLength(1);
    });
  });

  async function reconcileLater() {
    running.clock.advance({ seconds: 30 });
    await reconcilePayments(running.service.context);
  }

  describe('an error of POST /v1/refunds', () => {
    test.each(errors.flatMap((how) => [1, 2, 3, 4].map((times) => [how, times] as const)))(
      '%s, %i times, is one refund in the end',
      async (how, times) => {
        const order = await paidOrder(running, await running.openStore());
        const attempt = randomUUID();
        fail(how, '/v1/refunds', times);
        expect((await order.refund(200, attempt)).body.refund).toMatchObject({ amount: 200 });
        for (let n = 0; n <= times; n += 1) await reconcileLater();
        expect((await order.refund(200, attempt)).body.refund).toMatchObject({ status: 'succeeded', amount: 200 });
        expect(order.atProvider().map(({ amount }) => amount)).toEqual([200]);
        expect(await order.ledger()).toEqual([
          ['charge', 640],
          ['refund', -200],
        ]);
        expect(await order.published('order.refunded')).toHaveLength(1);
        expect(reused('/v1/refunds', order.id)).toEqual([]);
        expect((await order.refund()).body.refund).toMatchObject({ amount: 440, status: 'succeeded' });
      },
    );

    test('a refund that appears after the next attempt was made is entered too', async () => {
      const order = await paidOrder(running, await running.openStore());
      fail('error_before', '/v1/refunds', 1);
      const { body } = await order.refund(200);
      await reconcileLater();
      // The provider makes the first attempt's refund much later.
      await fetch(`${running.payments.url}/v1/refunds`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sk_test_corner' },
        body: new URLSearchParams({
          payment_intent: order.intent,
          amount: '200',
          reverse_transfer: 'true',
          'metadata[refund_id]': body.refund.id.replace('rf_', ''),
        }),
      });
      running.clock.advance({ minutes: 10 });
      await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
      expect(await order.ledger()).toEqual([
        ['charge', 640],
        ['refund', -200],
        ['refund', -200],
      ]);
      expect((await order.refund()).body.refund).toMatchObject({ amount: 240 });
    });
  });

  describe('an intent that is not its order’s', () => {
    test('is cancelled when its creation was lost and the order expired', async () => {
      const { store, basket } = await openScarceStore();
      fail('lost_after', '/v1/payment_intents', 3);
      expect((await customer(running).call('POST', '/api/v1/orders', basket())).status).toBe(502);
      expect(intentsOf(store.id).map(({ status }) => status)).toEqual(['requires_payment_method']);
      running.clock.advance({ minutes: 20 });
      await expireUnpaidOrders(running.service.context);
      running.clock.advance({ minutes: 2 });
      await reconcilePayments(running.service.context);
      expect(intentsOf(store.id).map(({ status }) => status)).toEqual(['canceled']);
    });

    test('is cancelled when it appears after the next attempt was made', async () => {
      const store = await running.openStore();
      fail('error_before', '/v1/payment_intents', 1);
      const { body } = await customer(running).create(store);
      const late = await fetch(`${running.payments.url}/v1/payment_intents`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sk_test_corner' },
        body: new URLSearchParams({
          amount: '640',
          currency: 'gbp',
          customer: body.payment_customer_id,
          'metadata[order_id]': body.order_id,
          'metadata[store_id]': store.id,
        }),
      });

      const { id } = (await late.json()) as { id: string };
      running.clock.advance({ minutes: 2 });
      await reconcilePayments(running.service.context);
      const states = Object.fromEntries(intentsOf(store.id).map((intent) => [intent.id, intent.status]));
      expect(states).toEqual({ [body.payment_intent_id]: 'requires_payment_method', [id]: 'canceled' });
    });
  });
});

describe('a lost response', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  const postUnder = (key: string) => running.payments.books().posts.filter((post) => post.key.includes(key));
  const intentsOf = (orderId: string) => running.payments.books().intents.filter(({ metadata }) => metadata.order_id === orderId);
  const refundsOf = (intentId: string) => running.payments.books().refunds.filter(({ payment_intent }) => payment_intent === intentId);

  test('when two responses to creating an intent are lost, the third attempt finds the same intent', async () => {
    running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/payment_intents', times: 2 });
    const { status, body } = await customer(running).create(store);
    expect(status).toBe(200);
    expect(intentsOf(body.order_id).map(({ id }) => id)).toEqual([body.payment_intent_id]);
    expect(postUnder(body.order_id).filter(({ path }) => path.endsWith('payment_intents'))).toEqual([
      { key: `pi:${body.order_id}`, path: '/v1/payment_intents', received: 3, executed: 1 },
    ]);
  });

  test('when every response to creating an intent is lost, the request fails and a repeat finds the same intent', async () => {
    running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/payment_intents', times: 3 });
    const ada = customer(running);
    const basket = basketOf(store);
    const lost = await ada.call('POST', '/api/v1/orders', basket);
    expect([lost.status, lost.body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    const { status, body } = await ada.call('POST', '/api/v1/orders', basket);
    expect(status).toBe(200);
    expect(intentsOf(body.order_id).map(({ id }) => id)).toEqual([body.payment_intent_id]);
    expect(postUnder(`pi:${body.order_id}`)).toMatchObject([{ received: 4, executed: 1 }]);
  });

  test('an intent that the provider declines cancels the order, releases its stock and returns STORE_NOT_ACCEPTING_ORDERS', async () => {
    const own = await running.openStore({ connected_account_id: 'acct_nobody_knows' });
    const request = basketOf(own, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
    const ada = customer(running);
    const { status, body } = await ada.call('POST', '/api/v1/orders', request);
    expect([status, body.error.code]).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
    expect(await takenOf(running, own.id)).toBe(0);
    const again = await ada.call('POST', '/api/v1/orders', request);
    expect(again.body).toMatchObject({ status: 'cancelled', requires_payment: false });
  });

  test('when every response to a refund is lost it stays pending, and the reconciling job makes it under the same key', async () => {
    const attempt = randomUUID();
    const order = await customer(running).paid(store);
    running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
    const { status, body } = await worker(running, store).refund(order.order_id, { amount_pence: 200, refund_attempt_id: attempt });
    expect([status, body.refund.status]).toEqual([200, 'pending']);
    expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
    running.clock.advance({ seconds: 60 });
    await reconcilePayments(running.service.context);
    expect(refundsOf(order.payment_intent_id)).toMatchObject([{ amount: 200 }]);
    expect(postUnder(`refund:${order.order_id}`)).toMatchObject([{ key: `refund:${order.order_id}:${attempt}`, executed: 1 }]);
    expect(await ledgerOf(running, order.order_id)).toMatchObject([{ amount_pence: 640 }, { kind: 'refund', amount_pence: -200 }]);
    expect((await eventsOf(running, order.order_id)).filter(({ type }) => type === 'order.refunded')).toHaveLength(1);
    const repeat = await worker(running, store).refund(order.order_id, { amount_pence: 200, refund_attempt_id: attempt });
    expect(repeat.body.refund).toMatchObject({ status: 'succeeded', amount: 200 });
  });

  test('a refund whose response was lost is found again after the provider has forgotten its key', async () => {
    const order = await customer(running).paid(store);
    running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
    expect((await worker(running, store).refund(order.order_id, { amount_pence: 200 })).body.refund.status).toBe('pending');
    running.clock.advance({ hours: 25 });
    await reconcilePayments(running.service.context);
    expect(refundsOf(order.payment_intent_id)).toMatchObject([{ amount: 200 }]);
    expect(await ledgerOf(running, order.order_id)).toHaveLength(2);
  });

  test('a refund that the provider declines is REFUND_REJECTED, and another attempt may use its amount', async () => {
    const order = await customer(running).paid(store);
    running.payments.controls.dashboardRefund(order.payment_intent_id, 640);
    const { status, body } = await worker(running, store).refund(order.order_id);
    expect([status, body.error?.code]).toEqual([502, 'REFUND_REJECTED']);
    expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
  });
});
