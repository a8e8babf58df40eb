// covers: refundOrder

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { customer, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { eventsOf, ledgerOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'amount', value: 40 }]);
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const promoId = randomUUID();

describe('the store bears each refund once', () => {
  beforeAll(async () => {
    store = await running.openStore();
  });

  const transferOf = (intent: string) => {
    const charge = running.payments.books().charges.find(({ payment_intent }) => payment_intent === intent);
    return running.payments.books().transfers.find(({ id }) => id === charge?.transfer);
  };

  async function comeBack(amount?: number, at = store) {
    const order = await paidOrder(running, at);
    const { body } = await order.refund(amount);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    return order;
  }

  test('a refund after a failed one does not reverse the store’s transfer a second time', async () => {
    const order = await comeBack();
    expect(transferOf(order.intent)).toMatchObject({ amount: 640, amount_reversed: 640 });
    expect(outcomeOf(await order.refund())).toEqual([200, 640]);
    expect(transferOf(order.intent)).toMatchObject({ amount_reversed: 640 });
    expect(await order.status()).toBe('refunded');
  });

  /** The store's final balance of an order, in pence: its transfer less the platform's fee, without what was taken back of each. */
  function storeHas(intent: string): number {
    const { charges, transfers, applicationFees } = running.payments.books();
    const charge = charges.find(({ payment_intent }) => payment_intent === intent);
    const transfer = transfers.find(({ id }) => id === charge?.transfer);
    const fee = applicationFees.find(({ id }) => id === charge?.application_fee);
    if (!transfer || !fee) throw new Error('an order without transfer or fee');
    return transfer.amount - transfer.amount_reversed - (fee.amount - fee.amount_refunded);
  }

  const refunded = async (order: Awaited<ReturnType<typeof comeBack>>) => {
    const made = order.atProvider().filter(({ status }) => status !== 'failed');
    return made.reduce((sum, { amount }) => sum + amount, 0);
  };

  test('a full refund after a partial one that failed is one refund, and the store has nothing left of the order', async () => {
    const order = await comeBack(100);
    expect(outcomeOf(await order.refund())).toEqual([200, 640]);
    expect(order.atProvider().map(({ amount, status }) => [amount, status])).toEqual([
      [100, 'failed'],
      [640, 'succeeded'],
    ]);
    expect(transferOf(order.intent)).toMatchObject({ amount_reversed: 640 });
    expect([storeHas(order.intent), await order.status()]).toEqual([0, 'refunded']);
    expect(await order.ledger()).toEqual([
      ['charge', 640],
      ['refund', -100],
      ['refund_failed', 100],
      ['transfer_reversal', 540],
      ['refund', -640],
    ]);
  });

  test.each([
    [60, 40, 540],
    [101, 539],
    [100, 540],
    [639, 1],
  ])('refunds of %j after one of 100 that failed reverse the store’s transfer once for each penny', async (...amounts) => {
    const order = await comeBack(100);
    for (const amount of amounts) {
      expect(outcomeOf(await order.refund(amount))).toEqual([200, amount]);
      expect(transferOf(order.intent)?.amount_reversed).toBe(Math.max(100, await refunded(order)));
    }
    expect([storeHas(order.intent), await order.status()]).toEqual([0, 'refunded']);
  });

  test('when the full refund fails too, the next one reverses nothing again', async () => {
    const order = await comeBack(100);
    const { body } = await order.refund();
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    expect(outcomeOf(await order.refund())).toEqual([200, 640]);
    expect([transferOf(order.intent)?.amount_reversed, storeHas(order.intent), await order.status()]).toEqual([640, 0, 'refunded']);
  });

  test.each(
    ['/reversals', '/v1/refunds'].flatMap((path) =>
      (['error_before', 'error_after', 'lost_before', 'lost_after'] as const).flatMap((how) =>
        [1, 3].map((times) => [how, path, times] as const),
      ),
    ),
  )('after %s of POST %s, %i times, the full refund is made once', async (how, path, times) => {
    const order = await comeBack(100);
    running.payments.controls.failNext({ how, path, times, method: 'POST' });
    const attempt = randomUUID();
    expect((await order.refund(undefined, attempt)).body.refund.amount).toBe(640);
    for (let n = 0; n <= times; n += 1) {
      running.clock.advance({ minutes: 1 });
      await reconcilePayments(running.service.context);
    }
    expect((await order.refund(undefined, attempt)).body.refund).toMatchObject({ amount: 640, status: 'succeeded' });
    expect([transferOf(order.intent)?.amount_reversed, storeHas(order.intent), await refunded(order)]).toEqual([640, 0, 640]);
  });

  test('when the transfer cannot be reversed nothing is refunded, unless the platform covers refunds', async () => {
    const covered = await running.openStore({ platform_covers_refunds: true });
    for (const [at, response] of [
      [covered, [200, 640]],
      [store, [502, 'REFUND_REJECTED']],
    ] as const) {
      const order = await comeBack(100, at);
      await fetch(`${running.payments.url}/v1/transfers/${transferOf(order.intent)?.id}/reversals`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sk_test_corner' },
      });
      expect(outcomeOf(await order.refund())).toEqual(response);
      expect(await refunded(order)).toBe(at === covered ? 640 : 0);
    }
  });

  test('where the platform covers refunds, it bears a refund that the store’s account cannot', async () => {
    const covered = await running.openStore({ platform_covers_refunds: true });
    for (const [at, response] of [
      [covered, [200, 640]],
      [store, [502, 'REFUND_REJECTED']],
    ] as const) {
      const order = await paidOrder(running, at);
      // A dashboard refund that failed had reversed the store's transfer, and no event of it arrived.
      const taken = await fetch(`${running.payments.url}/v1/refunds`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sk_test_corner' },
        body: new URLSearchParams({ payment_intent: order.intent, reverse_transfer: 'true' }),
      });
      running.payments.controls.failRefund(((await taken.json()) as { id: string }).id);
      expect(outcomeOf(await order.refund())).toEqual(response);
      expect(await order.logged('refund_failed')).toBe(at === covered ? 0 : 1);
    }
  });

  test('a pending refund that the provider declines twice, for the store and for the platform, is announced as failed', async () => {
    const covered = await running.openStore({ platform_covers_refunds: true });
    const order = await paidOrder(running, covered);
    running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
    expect((await order.refund()).body.refund.status).toBe('pending');
    running.payments.controls.clearFaults();
    running.payments.controls.openDispute(order.intent);
    running.clock.advance({ minutes: 1 });
    await reconcilePayments(running.service.context);
    expect(await order.logged('refund_failed')).toBe(1);
    expect((await eventsOf(running, order.id)).filter(({ type }) => type === 'order.refund_failed')).toHaveLength(1);
  });

  test('three concurrent requests that the provider declines log one rejection', async () => {
    const order = await paidOrder(running, store);
    running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
    expect((await order.refund()).body.refund.status).toBe('pending');
    running.payments.controls.clearFaults();
    running.payments.controls.openDispute(order.intent);
    running.clock.advance({ minutes: 1 });
    await Promise.all([1, 2, 3].map(() => reconcilePayments(running.service.context)));
    expect(await order.logged('refund_failed')).toBe(1);
  });
});

describe('legs of a mixed order', () => {
  let promoId: string;
  let parent: string;
  let intent: string;
  let legs: string[];

  /** A flat white now, and a croissant and a flat white as two legs, with a tip: 315 + 50, 261 and 315 pence of 941. */
  beforeEach(async () => {
    promoId = randomUUID();
    store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'percent', value: 10 }]);
    const ada = customer(running);
    const group = (role: 'now' | 'collect', menu_item_id: string) => ({ role, items: [{ menu_item_id, quantity: 1 }] });
    const order = await ada.paid(store, {
      items: [],
      fulfilment_groups: [group('now', 'flat-white'), group('collect', 'croissant'), group('collect', 'flat-white')],
      promo_code: 'spring',
      tip_pence: 50,
    });

    const { body } = await ada.confirm(store, order.payment_intent_id);
    parent = order.order_id;
    intent = order.payment_intent_id;
    legs = body.children.map(({ order_id }: { order_id: string }) => order_id);
    expect([body.total_pence, ...body.children.map(({ total_pence }: { total_pence: number }) => total_pence)]).toEqual([941, 261, 315]);
  });

  const refund = async (orderId: string, amount_pence?: number) =>
    outcomeOf(await worker(running, store).refund(orderId, { refund_attempt_id: randomUUID(), ...(amount_pence ? { amount_pence } : {}) }));
  const statusOf = async (orderId: string) => (await worker(running, store).get(orderId)).body.order.status;
  const refundedAtProvider = () =>
    running.payments
      .books()
      .refunds.filter(({ payment_intent }) => payment_intent === intent)
      .map(({ amount }) => amount);

  test('a leg is refunded up to its own total from the payment of the whole order', async () => {
    const [one = '', two = ''] = legs;
    expect(await refund(one, 262)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect(await refund(one, 200)).toEqual([200, 200]);
    expect(await refund(one, 62)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect(await statusOf(one)).toBe('partially_refunded');
    expect(await refund(one)).toEqual([200, 61]);
    expect(await refund(one)).toEqual([409, 'ALREADY_REFUNDED']);
    expect(refundedAtProvider().toSorted()).toEqual([200, 61]);
    expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['partially_refunded', 'refunded', 'paid']);
    expect(await ledgerOf(running, parent)).toEqual([
      { kind: 'charge', amount_pence: 941 },
      { kind: 'refund', amount_pence: -200 },
      { kind: 'refund', amount_pence: -61 },
    ]);
    expect(await ledgerOf(running, one)).toEqual([]);
  });

  test('refunding the rest of the whole order refunds the rest of every leg', async () => {
    const [one = '', two = ''] = legs;
    expect(await refund(one)).toEqual([200, 261]);
    expect(await refund(parent, 681)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect(await refund(parent)).toEqual([200, 680]);
    expect(await refund(two)).toEqual([409, 'ALREADY_REFUNDED']);
    expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['refunded', 'refunded', 'refunded']);
    expect(await usesOf(running, promoId)).toBe(0);
  });

  test('a leg cannot be refunded from what was refunded of the whole order already', async () => {
    const [, two = ''] = legs;
    expect(await refund(parent, 700)).toEqual([200, 700]);
    expect(await refund(two, 242)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect(await refund(two)).toEqual([200, 241]);
    expect(await statusOf(parent)).toBe('refunded');
  });

  test('refunding the last leg makes the refund of the order full, published once', async () => {
    const [one = '', two = ''] = legs;
    expect(await refund(parent, 365)).toEqual([200, 365]);
    expect(await usesOf(running, promoId)).toBe(1);
    expect(await refund(one)).toEqual([200, 261]);
    expect(await refund(two)).toEqual([200, 315]);
    expect(await Promise.all([statusOf(parent), statusOf(one), statusOf(two)])).toEqual(['refunded', 'refunded', 'refunded']);
    expect(await usesOf(running, promoId)).toBe(0);
    const published = (await eventsOf(running, parent)).filter(({ type }) => type === 'order.refunded').map(({ data }) => data);
    expect(published.map(({ cumulative_pence, paid_pence, full }) => [cumulative_pence, paid_pence, full])).toEqual([
      [365, 941, false],
      [626, 941, false],
      [941, 941, true],
    ]);
    for (const leg of legs) expect((await eventsOf(running, leg)).some(({ type }) => type === 'order.refunded')).toBe(false);
  });

  test('concurrent refunds of an order and its legs never exceed what was paid', async () => {
    const [one = '', two = ''] = legs;
    const requested = [parent, one, two, parent, one, two, parent, one, two, parent];
    const responses = await Promise.all(requested.map((orderId, n) => refund(orderId, n % 3 === 0 ? 300 : 150)));
    expect(responses.every(([status]) => status === 200 || status === 409 || status === 422)).toBe(true);
    const sum = refundedAtProvider().reduce((a, b) => a + b, 0);
    expect(sum).toBeLessThanOrEqual(941);
    const ledger = await ledgerOf(running, parent);
    expect(ledger.reduce((a, { amount_pence }) => a + amount_pence, 0)).toBe(941 - sum);
  });
});
