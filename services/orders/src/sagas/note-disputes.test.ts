import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customer, pay, worker } from '../testing/callers.ts';
import { paidOrder, says } from '../testing/paid-order.ts';
import { eventOf, publish, tellAbout, worked } from '../testing/provider-events.ts';
import { logOf, toldOf } from '../testing/rows.ts';
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

const both = ['charge.dispute.created', 'charge.dispute.closed'];

test('a dispute is noted once: logged, told, and nothing is refunded while it lasts', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  await Promise.all([1, 2, 3].map(() => publish(running, eventOf('charge.dispute.created', id))));
  await tellAbout(running, id, 'charge.dispute.created');
  expect(await order.told('payment.disputed')).toMatchObject([{ order_id: order.id, open: true }]);
  expect(await order.logged('dispute_opened')).toBe(1);
  expect(says(await order.refund(100))).toEqual([409, 'ORDER_DISPUTED']);
  expect(order.atProvider()).toEqual([]);
});

test.each(['won', 'lost'] as const)('one that is %s is over, once', async (outcome) => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  await tellAbout(running, id, ...both);
  running.payments.controls.closeDispute(id, outcome);
  await tellAbout(running, id, ...both);
  await publish(running, eventOf('charge.dispute.closed', id));
  await worked(running);
  expect((await order.told('payment.disputed')).map(({ open }) => open)).toEqual([true, false]);
  expect([await order.logged('dispute_opened'), await order.logged('dispute_closed')]).toEqual([1, 1]);
  // The provider refuses it from here on, where the charge stays disputed.
  expect(says(await order.refund(100))).toEqual([502, 'REFUND_REJECTED']);
});

test('what the provider says now counts: closed is told first, and opened changes nothing any more', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  running.payments.controls.closeDispute(id, 'won');
  await tellAbout(running, id, 'charge.dispute.closed');
  await tellAbout(running, id, 'charge.dispute.created');
  expect(await order.told('payment.disputed')).toEqual([]);
  expect((await logOf(running, order.id)).filter((kind) => kind.startsWith('dispute'))).toEqual([]);
});

test('a dispute told before the payment: paid first, then disputed', async () => {
  const { body: order } = await customer(running).create(store);
  await pay(running, order.payment_intent_id, 'pm_card_createDispute');
  const dispute = running.payments.books().disputes.find(({ payment_intent }) => payment_intent === order.payment_intent_id);
  await tellAbout(running, dispute?.id ?? '', 'charge.dispute.created');
  expect((await toldOf(running, order.order_id)).map(({ type }) => type)).toEqual(['order.paid', 'payment.disputed']);
  expect((await worker(running, store).get(order.order_id)).body.order.status).toBe('paid');
});
