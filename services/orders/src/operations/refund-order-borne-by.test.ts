import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcilePayments } from '../jobs/reconcile-payments.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const transferOf = (intent: string) => {
  const charge = running.payments.books().charges.find(({ payment_intent }) => payment_intent === intent);
  return running.payments.books().transfers.find(({ id }) => id === charge?.transfer);
};

/** An order whose refund failed after the store's transfer had been reversed for it. */
async function comeBack(amount?: number) {
  const order = await paidOrder(running, store);
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

test('after a failed refund its amount is refunded first, and the store bears the rest', async () => {
  const order = await comeBack(100);
  const { status, body } = await order.refund(101);
  expect([status, body.error.code, body.error.message]).toEqual([
    422,
    'REFUND_AMOUNT_EXCEEDS_REMAINING',
    expect.stringMatching(/^amount_pence: .*100 pence/),
  ]);
  expect(outcomeOf(await order.refund(60))).toEqual([200, 60]);
  expect(outcomeOf(await order.refund(40))).toEqual([200, 40]);
  expect(transferOf(order.intent)).toMatchObject({ amount_reversed: 100 });
  expect(outcomeOf(await order.refund())).toEqual([200, 540]);
  expect(transferOf(order.intent)).toMatchObject({ amount_reversed: 640 });
});

test('where the platform covers refunds, it bears a refund that the store’s account cannot', async () => {
  const covered = await running.openStore({ platform_covers_refunds: true });
  for (const [at, response] of [
    [covered, [200, 640]],
    [store, [502, 'REFUND_REJECTED']],
  ] as const) {
    const order = await paidOrder(running, at);
    // At the provider the store's transfer was reversed by a dashboard refund that failed, and no event of it arrived.
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
