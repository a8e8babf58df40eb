// covers: refundOrder
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customer, pay, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { eventOf, publish, sendEventsAbout, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf, logOf } from '../testing/rows.ts';
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

test('a dispute is logged and published once, and the order cannot be refunded while it is open', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  await Promise.all([1, 2, 3].map(() => publish(running, eventOf('charge.dispute.created', id))));
  await sendEventsAbout(running, id, 'charge.dispute.created');
  expect(await order.published('payment.disputed')).toMatchObject([{ order_id: order.id, open: true }]);
  expect(await order.logged('dispute_opened')).toBe(1);
  expect(outcomeOf(await order.refund(100))).toEqual([409, 'ORDER_DISPUTED']);
  expect(order.atProvider()).toEqual([]);
});

test.each(['won', 'lost'] as const)('a dispute that is %s is closed once', async (outcome) => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  await sendEventsAbout(running, id, ...both);
  running.payments.controls.closeDispute(id, outcome);
  await sendEventsAbout(running, id, ...both);
  await publish(running, eventOf('charge.dispute.closed', id));
  await untilProcessed(running);
  expect((await order.published('payment.disputed')).map(({ open }) => open)).toEqual([true, false]);
  expect([await order.logged('dispute_opened'), await order.logged('dispute_closed')]).toEqual([1, 1]);
  // From here on the provider declines refunds, because the charge stays disputed.
  expect(outcomeOf(await order.refund(100))).toEqual([502, 'REFUND_REJECTED']);
});

test('the provider’s present state counts: a late event of opening a closed dispute changes nothing', async () => {
  const order = await paidOrder(running, store);
  const { id } = running.payments.controls.openDispute(order.intent);
  running.payments.controls.closeDispute(id, 'won');
  await sendEventsAbout(running, id, 'charge.dispute.closed');
  await sendEventsAbout(running, id, 'charge.dispute.created');
  expect(await order.published('payment.disputed')).toEqual([]);
  expect((await logOf(running, order.id)).filter((kind) => kind.startsWith('dispute'))).toEqual([]);
});

test('a dispute event that arrives before the payment marks the order paid, then disputed', async () => {
  const { body: order } = await customer(running).create(store);
  await pay(running, order.payment_intent_id, 'pm_card_createDispute');
  const dispute = running.payments.books().disputes.find(({ payment_intent }) => payment_intent === order.payment_intent_id);
  await sendEventsAbout(running, dispute?.id ?? '', 'charge.dispute.created');
  expect((await eventsOf(running, order.order_id)).map(({ type }) => type)).toEqual(['order.paid', 'payment.disputed']);
  expect((await worker(running, store).get(order.order_id)).body.order.status).toBe('paid');
});
