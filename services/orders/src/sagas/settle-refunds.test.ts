import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../jobs/reconcile-payments.ts';
import { customer, pay, worker } from '../testing/callers.ts';
import { usesOf } from '../testing/counts.ts';
import { paidOrder, says } from '../testing/paid-order.ts';
import { tellAbout } from '../testing/provider-events.ts';
import { toldOf } from '../testing/rows.ts';
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

test('a refund that is slow is pending and counts; when it arrives nothing moves again', async () => {
  const order = await paidOrder(running, store, {}, 'pm_card_pendingRefund');
  const { body } = await order.refund(640);
  expect(body.refund.status).toBe('pending');
  expect(says(await order.refund(1))).toEqual([409, 'ALREADY_REFUNDED']);
  expect(await order.ledger()).toHaveLength(2);
  running.payments.controls.settleRefund(body.refund.id);
  await tellAbout(running, body.refund.id, 'refund.updated');
  expect(await order.ledger()).toHaveLength(2);
  expect(await order.told('order.refunded')).toHaveLength(1);
});

test('a refund that fails days later: the sum, the ledger and the promo code are taken back, and it is told once', async () => {
  const uses = await usesOf(running, promoId);
  const order = await paidOrder(running, store, { promo_code: 'spring' });
  const { body } = await order.refund();
  running.clock.advance({ days: 5 });
  running.payments.controls.failRefund(body.refund.id);
  await Promise.all([1, 2].map(() => tellAbout(running, body.refund.id, 'refund.updated', 'refund.failed')));
  expect(await order.ledger()).toEqual([
    ['charge', 600],
    ['refund', -600],
    ['refund_failed', 600],
  ]);
  expect(await order.told('order.refund_failed')).toMatchObject([{ amount_pence: 600, cumulative_pence: 0, was_full: true }]);
  expect(await order.logged('refund_failed')).toBe(1);
  expect([await order.status(), await usesOf(running, promoId)]).toEqual(['paid', uses + 1]);
});

const byHand = 'Refunded at the payment provider';
/** Events of a refund and of its charge, told as often as wished at once. */
const tellOf = async ({ id, charge }: { id: string; charge: string | null }) => {
  await Promise.all([
    tellAbout(running, id, 'refund.created', 'refund.updated', 'refund.failed'),
    tellAbout(running, charge ?? '', 'charge.refunded'),
    tellAbout(running, id, 'refund.created'),
  ]);
};

test('a refund made at the dashboard becomes the order’s, once, whichever of its events tell of it', async () => {
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent, 240);
  await tellOf(refund);
  await tellOf(refund);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -240],
  ]);
  expect(await order.told('order.refunded')).toMatchObject([{ amount_pence: 240, cumulative_pence: 240, paid_pence: 640, full: false }]);
  expect(await order.logged('refund_succeeded')).toBe(1);
  const { body } = await worker(running, store).call('GET', `/api/v1/orders/${order.id}/log?store_id=${store.id}`);
  expect(body.entries).toContainEqual(expect.objectContaining({ detail: byHand, actor: null, amount_pence: 240 }));
  expect(await order.status()).toBe('partially_refunded');
});

test.each([
  ['refund.created', 'id'],
  ['charge.refunded', 'charge'],
] as const)('%s alone tells enough of it', async (type, about) => {
  const order = await paidOrder(running, store);
  const refund = running.payments.controls.dashboardRefund(order.intent);
  await tellAbout(running, refund[about] ?? '', type);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -640],
  ]);
  expect(await order.told('order.refunded')).toMatchObject([{ full: true }]);
  expect(says(await order.refund())).toEqual([409, 'ALREADY_REFUNDED']);
});

test('what was refunded at the dashboard is no longer there for the staff', async () => {
  const order = await paidOrder(running, store);
  await tellOf(running.payments.controls.dashboardRefund(order.intent, 600));
  expect(says(await order.refund(41))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
  expect(says(await order.refund(40))).toEqual([200, 40]);
  expect(await order.status()).toBe('refunded');
});

test('a refund of ours is not taken for one made at the dashboard, whatever tells of it', async () => {
  const order = await paidOrder(running, store);
  await order.refund(100);
  const [refund] = order.atProvider();
  if (refund) await tellOf(refund);
  expect(await order.ledger()).toHaveLength(2);
  expect(await order.told('order.refunded')).toHaveLength(1);
});

test('nor one whose answer was lost, so that we do not know yet what the provider calls it', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 3 });
  expect((await order.refund(100)).body.refund.status).toBe('pending');
  const [refund] = order.atProvider();
  if (refund) await tellOf(refund);
  expect(order.atProvider()).toHaveLength(1);
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -100],
  ]);
  expect(await order.told('order.refunded')).toHaveLength(1);
  // Counted once, it leaves the rest to be refunded.
  expect((await order.refund(540)).body).toMatchObject({ refund: { status: 'succeeded' } });
});

test('a refund made at the dashboard is told before the payment is', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  await tellOf(running.payments.controls.dashboardRefund(order.payment_intent_id, 240));
  expect((await toldOf(running, order.order_id)).map(({ type }) => type).filter((type) => /paid|refunded/.test(type))).toEqual([
    'order.paid',
    'order.refunded',
  ]);
  expect((await ada.confirm(store, order.payment_intent_id)).body.status).toBe('partially_refunded');
});

test('a slow one that fails is taken back, found by the reconciler alone', async () => {
  const order = await paidOrder(running, store, {}, 'pm_card_pendingRefund');
  const refund = running.payments.controls.dashboardRefund(order.intent, 240);
  await tellOf(refund);
  expect(await order.ledger()).toHaveLength(2);
  running.payments.controls.failRefund(refund.id);
  // Beyond the ten minutes by which events are worked ahead of the clock above.
  running.clock.advance({ minutes: 15 });
  await Promise.all([1, 2].map(() => reconcilePayments(running.service.context)));
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -240],
    ['refund_failed', 240],
  ]);
  expect(order.atProvider()).toHaveLength(1);
  expect([await order.status(), await order.told('order.refund_failed')]).toMatchObject(['paid', [{ amount_pence: 240, was_full: false }]]);
});

test('one that failed makes room for another: the sum is never more than was paid, though nothing was told of the first', async () => {
  const order = await paidOrder(running, store);
  const { body } = await order.refund();
  running.payments.controls.failRefund(body.refund.id);
  const again = running.payments.controls.dashboardRefund(order.intent, 640);
  await tellAbout(running, again.id, 'refund.created');
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['refund', -640],
    ['refund_failed', 640],
    ['refund', -640],
  ]);
  expect(await order.status()).toBe('refunded');
});
