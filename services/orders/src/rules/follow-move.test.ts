import { expect, test } from '@jest/globals';
import { followMove, type MovedOrder } from './follow-move.ts';
import type { Move } from './transitions.ts';

const order = (id: string, changes: Partial<MovedOrder> = {}): MovedOrder => ({
  id,
  order_type: 'collect',
  fulfilment_status: 'ready',
  business_status: 'ready',
  lines: [{}],
  ...changes,
});
const ended = (id: string, fulfilment_status: 'collected' | 'cancelled') =>
  order(id, { fulfilment_status, business_status: fulfilment_status === 'collected' ? 'fulfilled' : 'cancelled' });
const main = (changes: Partial<MovedOrder> = {}) =>
  order('main', { order_type: 'buy_now', fulfilment_status: 'accepted', business_status: 'placed', ...changes });
const collected: Move = { fulfilment: 'collected', business: 'fulfilled', correction: false };
const cancelled: Move = { fulfilment: 'cancelled', business: 'cancelled', correction: false };

const steps = (named: MovedOrder, [first, ...legs]: readonly [MovedOrder, ...MovedOrder[]], move: Move) =>
  followMove({ named, main: first, legs }, move).map(({ order: { id }, move: { business, fulfilment } }) => [id, business, fulfilment]);

test('cancelling an order cancels its open legs and keeps the ended ones', () => {
  const root = main();
  expect(steps(root, [root, order('a'), ended('b', 'collected')], cancelled)).toEqual([
    ['main', 'cancelled', 'cancelled'],
    ['a', 'cancelled', 'cancelled'],
  ]);
});

test('an order whose own part is handed over stays open while a leg is', () => {
  const root = main();
  expect(steps(root, [root, order('a')], collected)).toEqual([['main', 'placed', 'collected']]);
  expect(steps(root, [root, ended('a', 'cancelled')], collected)).toEqual([['main', 'fulfilled', 'collected']]);
});

test('the last leg ends an order whose own part was handed over', () => {
  const root = main({ fulfilment_status: 'collected' });
  const last = order('a');
  expect(steps(last, [root, last, ended('b', 'collected')], cancelled)).toEqual([
    ['main', 'fulfilled', 'collected'],
    ['a', 'cancelled', 'cancelled'],
  ]);
});

test('the last leg does not end an order whose own part is still to be handed over', () => {
  const last = order('a');
  expect(steps(last, [main(), last], collected)).toEqual([['a', 'fulfilled', 'collected']]);
});

test('a leg that is not the last ends alone', () => {
  const leg = order('a');
  expect(steps(leg, [main({ lines: [] }), leg, order('b')], collected)).toEqual([['a', 'fulfilled', 'collected']]);
});

test('an order that consists of its legs is cancelled with the last one when none was collected', () => {
  const last = order('a');
  const root = main({ lines: [] });
  expect(steps(last, [root, last, ended('b', 'cancelled')], cancelled)[0]).toEqual(['main', 'cancelled', 'cancelled']);
  expect(steps(last, [root, last, ended('b', 'collected')], cancelled)[0]).toEqual(['main', 'fulfilled', 'collected']);
});
