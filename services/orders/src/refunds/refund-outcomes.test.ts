import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { customer, pay, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { eventsOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;
const promoId = randomUUID();

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'amount', value: 40 }]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('a pending refund counts at once, and nothing changes again when it succeeds', async () => {
  const order = await paidOrder(running, store, {}, 'pm_card_pendingRefund');
  const { body } = await order.refund(640);
  expect(body.refund.status).toBe('pending');
  expect(outcomeOf(await order.refund(1))).toEqual([409, 'ALREADY_REFUNDED']);
  expect(await order.ledger()).toHaveLength(2);
  running.payments.controls.settleRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.updated');
  expect(await order.ledger()).toHaveLength(2);
  expect(await order.published('order.refunded')).toHaveLength(1);
});

test('a refund that fails days later is taken back from sum, ledger and promo code, and published once', async () => {
  const uses = await usesOf(running, promoId);
  const order = await paidOrder(running, store, { promo_code: 'spring' });
  const { body } = await order.refund();
  running.clock.advance({ days: 5 });
  running.payments.controls.failRefund(body.refund.id);
  await Promise.all([1, 2].map(() => sendEventsAbout(running, body.refund.id, 'refund.updated', 'refund.failed')));
  expect(await order.ledger()).toEqual([
    ['charge', 600],
    ['refund', -600],
    ['refund_failed', 600],
  ]);
  expect(await order.published('order.refund_failed')).toMatchObject([
    { amount_pence: 600, cumulative_pence: 0, currency: 'GBP', was_accepted: true, was_full: true, reason: 'expired_or_canceled_card' },
  ]);
  expect(await order.logged('refund_failed')).toBe(1);
  expect([await order.status(), await usesOf(running, promoId)]).toEqual(['paid', uses + 1]);
});

test('a refund that was only pending here, and failed at the provider, is logged and published once, and no sum changes', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 12 });
  const { body } = await order.refund(200);
  running.payments.controls.clearFaults();
  expect(body.refund.status).toBe('pending');
  const [atProvider] = order.atProvider();
  running.payments.controls.failRefund(atProvider?.id ?? '', 'insufficient_funds');
  await Promise.all([1, 2].map(() => sendEventsAbout(running, atProvider?.id ?? '', 'refund.created', 'refund.failed')));
  running.clock.advance({ minutes: 1 });
  await reconcilePayments(running.service.context);
  expect(await order.published('order.refund_failed')).toMatchObject([
    { amount_pence: 200, cumulative_pence: 0, was_accepted: false, was_full: false, reason: 'insufficient_funds' },
  ]);
  expect([await order.ledger(), await order.logged('refund_failed'), await order.published('order.refunded')]).toEqual([
    [['charge', 640]],
    1,
    [],
  ]);
});

test('a partial refund that fails after a full one leaves the rest refunded', async () => {
  const order = await paidOrder(running, store);
  const { body } = await order.refund(200);
  await order.refund();
  running.payments.controls.failRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.failed');
  expect(await order.published('order.refund_failed')).toMatchObject([
    { amount_pence: 200, cumulative_pence: 440, was_accepted: true, was_full: true },
  ]);
  expect(await order.status()).toBe('partially_refunded');
});

const byHand = 'Refunded at the payment provider';
const sendRefundEvents = async ({ id, charge }: { id: string; charge: string | null }) => {
  await Promise.all([
    sendEventsAbout(running, id, 'refund.created', 'refund.updated', 'refund.failed'),
    sendEventsAbout(running, charge ?? '', 'charge.refunded'),
    sendEventsAbout(running, id, 'refund.created'),
  ]);
};

test('a refund made at the dashboard is adopted once, whichever of its events arrive', async () => {
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent, 240);
  await sendRefundEvents(refund);
  await sendRefundEvents(refund);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -240],
  ]);
  expect(await order.published('order.refunded')).toMatchObject([
    { amount_pence: 240, cumulative_pence: 240, paid_pence: 640, full: false },
  ]);
  expect(await order.logged('refund_succeeded')).toBe(1);
  const { body } = await worker(running, store).call('GET', `/api/v1/orders/${order.id}/log?store_id=${store.id}`);
  expect(body.entries).toContainEqual(expect.objectContaining({ detail: byHand, actor: null, amount_pence: 240 }));
  expect(await order.status()).toBe('partially_refunded');
});

test.each([
  ['refund.created', 'id'],
  ['charge.refunded', 'charge'],
] as const)('the event %s alone is enough to adopt a dashboard refund', async (type, about) => {
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent);
  await sendEventsAbout(running, refund[about] ?? '', type);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -640],
  ]);
  expect(await order.published('order.refunded')).toMatchObject([{ full: true }]);
  expect(outcomeOf(await order.refund())).toEqual([409, 'ALREADY_REFUNDED']);
});

test('staff cannot refund again what was refunded at the dashboard', async () => {
  const order = await paidOrder(running, store);
  await sendRefundEvents(running.payments.controls.dashboardRefund(order.intent, 600));
  expect(outcomeOf(await order.refund(41))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(outcomeOf(await order.refund(40))).toEqual([200, 40]);
  expect(await order.status()).toBe('refunded');
});

test('a refund made here is not adopted as a dashboard refund, whichever event arrives', async () => {
  const order = await paidOrder(running, store);
  await order.refund(100);
  const [refund] = order.atProvider();
  if (refund) await sendRefundEvents(refund);
  expect(await order.ledger()).toHaveLength(2);
  expect(await order.published('order.refunded')).toHaveLength(1);
});

test('a refund whose response was lost is not adopted as a dashboard refund', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
  expect((await order.refund(100)).body.refund.status).toBe('pending');
  const [refund] = order.atProvider();
  if (refund) await sendRefundEvents(refund);
  expect(order.atProvider()).toHaveLength(1);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -100],
  ]);
  expect(await order.published('order.refunded')).toHaveLength(1);
  expect((await order.refund(540)).body).toMatchObject({ refund: { status: 'succeeded' } });
});

test('an event of a dashboard refund that arrives before the payment marks the order paid, then refunded', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  await sendRefundEvents(running.payments.controls.dashboardRefund(order.payment_intent_id, 240));
  expect((await eventsOf(running, order.order_id)).map(({ type }) => type).filter((type) => /paid|refunded/.test(type))).toEqual([
    'order.paid',
    'order.refunded',
  ]);
  expect((await ada.confirm(store, order.payment_intent_id)).body.status).toBe('partially_refunded');
});

test('a slow dashboard refund that fails is taken back by the reconciling job alone', async () => {
  const order = await paidOrder(running, store, {}, 'pm_card_pendingRefund');
  const refund = running.payments.controls.dashboardRefund(order.intent, 240);
  await sendRefundEvents(refund);
  expect(await order.ledger()).toHaveLength(2);
  running.payments.controls.failRefund(refund.id);
  // More than the ten minutes by which untilProcessed moves the clock ahead.
  running.clock.advance({ minutes: 15 });
  await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -240],
    ['refund_failed', 240],
  ]);
  expect(order.atProvider()).toHaveLength(1);
  expect([await order.status(), await order.published('order.refund_failed')]).toMatchObject([
    'paid',
    [{ amount_pence: 240, was_full: false }],
  ]);
});

test('a failed refund frees its amount for another one, even when its own event is missing', async () => {
  const order = await paidOrder(running, store);
  const { body } = await order.refund();
  running.payments.controls.failRefund(body.refund.id);
  const again = running.payments.controls.dashboardRefund(order.intent, 640);
  await sendEventsAbout(running, again.id, 'refund.created');
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -640],
    ['refund_failed', 640],
    ['refund', -640],
  ]);
  expect(await order.status()).toBe('refunded');
});
