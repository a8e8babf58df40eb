import type { CustomerOrder } from '@corner/client';
import { expect, test } from '@jest/globals';
import { en } from '../texts/en/index.ts';
import { formatIn } from '../texts/format.ts';
import { describeHint, describeState, isDelayed, mayCancel, stepOf, underWay } from './describe.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 11, 4, 12, minute)).toISOString();
const paid = {
  status: 'paid',
  fulfilment_status: 'accepted',
  cancelled_by: null,
  uncollected: false,
  table_number: null,
  collection_mode: 'now',
  requested_collection_at: null,
  revised_ready_at: null,
  ready_at: null,
  accepted_at: at(0),
  prep_minutes: 8,
} as unknown as CustomerOrder;
const said = (change: Partial<CustomerOrder>) => {
  const order = { ...paid, ...change };
  return [describeState(order, { order: en.order }), describeHint(order, { order: en.order }, formatIn('en-GB'), 'Europe/London')];
};
const { state, hint } = en.order;

test('a paid order says how far it is and when it is ready; a delay or a booked time takes the place of the estimate', () => {
  expect(said({})).toEqual([state.accepted, en.order.readyAbout('12:08')]);
  expect(said({ ready_estimate: { at: at(9), from: at(7), to: at(12) } })[1]).toBe(en.order.readyBetween('12:07', '12:12'));
  expect(said({ accepted_at: null, fulfilment_status: null })).toEqual([state.paid, hint.paid]);
  expect(said({ fulfilment_status: 'preparing', revised_ready_at: at(20) })).toEqual([state.preparing, en.order.delayed('12:20')]);
  expect(said({ collection_mode: 'scheduled', requested_collection_at: at(30) })[1]).toMatch(/^For .+, 12:30$/);
  expect(said({ fulfilment_status: 'ready', ready_at: at(9), revised_ready_at: at(20) })).toEqual([
    state.ready,
    en.order.readySince('12:09'),
  ]);
  expect(said({ fulfilment_status: 'collected' })).toEqual([state.collected, null]);
  expect(said({ fulfilment_status: 'ready', uncollected: true })).toEqual([state.uncollected, hint.uncollected]);
});

test('the order of a table is made, brought and served', () => {
  const states = ([null, 'accepted', 'preparing', 'ready', 'collected'] as const).map(
    (fulfilment_status) => said({ table_number: '7', fulfilment_status })[0],
  );
  expect(states).toEqual([state.made('7'), state.made('7'), state.preparing, state.brought('7'), state.served]);
});

test('an order that was not paid or has ended says so and why, whatever its steps', () => {
  expect(said({ status: 'pending_payment' })).toEqual([state.unpaid, hint.unpaid]);
  expect(said({ status: 'expired' })).toEqual([state.expired, hint.expired]);
  for (const by of ['customer', 'store', 'system'] as const)
    expect(said({ status: 'refunded', fulfilment_status: 'cancelled', cancelled_by: by })).toEqual([state.cancelled, hint.cancelledBy[by]]);
  expect(said({ status: 'refunded' })).toEqual([state.refunded, null]);
});

test('a step, a delay and the way to cancel are there only while the order is made', () => {
  const of = (change: Partial<CustomerOrder>) => {
    const order = { ...paid, revised_ready_at: at(20), ...change };
    return [stepOf(order), isDelayed(order), mayCancel(order)];
  };
  expect(of({})).toEqual(['accepted', true, true]);
  expect(of({ fulfilment_status: 'preparing' })).toEqual(['preparing', true, false]);
  expect(of({ fulfilment_status: 'ready' })).toEqual(['ready', false, false]);
  expect(of({ status: 'pending_payment', fulfilment_status: null })).toEqual([null, false, true]);
  expect(of({ status: 'cancelled', fulfilment_status: 'cancelled' })).toEqual([null, false, false]);
});

test('an order is under way from its placing until it is handed over, or ended, or the shop has closed on it', () => {
  const isUnderWay = (change: Partial<CustomerOrder>) => underWay([{ ...paid, ...change }]).length === 1;
  const running = [
    { status: 'pending_payment', fulfilment_status: null },
    { status: 'payment_failed', fulfilment_status: null },
    { fulfilment_status: null },
    {},
    { fulfilment_status: 'preparing' },
    { fulfilment_status: 'ready' },
  ] as const;
  const over = [
    { status: 'expired', fulfilment_status: null },
    { status: 'cancelled' },
    { status: 'refunded' },
    { fulfilment_status: 'collected' },
    { fulfilment_status: 'cancelled' },
    { fulfilment_status: 'ready', uncollected: true },
  ] as const;
  expect(running.map(isUnderWay)).toEqual(running.map(() => true));
  expect(over.map(isUnderWay)).toEqual(over.map(() => false));
});
