import { describe, expect, test } from '@jest/globals';
import type { Order } from '../operations.ts';
import { byColumn, columnOf, mergeOrders } from '../order-columns.ts';
import { changedAt, dueText, isLate, spanOf, timeText } from '../timing.ts';
import { noArrivals, noteOrders, touchOrder } from './new-orders.ts';
import { actionsOf, paymentOf } from './order-actions.ts';
import { orderOf as order } from './order-for-tests.ts';

const minute = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 12, minutes)).toISOString();
const now = Date.parse(at(30));

describe('columns', () => {
  test('follow the fulfilment status; an order that is not accepted yet is in the first column', () => {
    const statuses = [null, 'accepted', 'preparing', 'ready', 'collected'];
    expect(statuses.map((fulfilment_status) => columnOf(order({ fulfilment_status })))).toEqual([
      'accepted',
      'accepted',
      'preparing',
      'ready',
      'collected',
    ]);
    expect(columnOf(order({ fulfilment_status: null, status: 'expired' }))).toBeNull();
    expect(byColumn([order(), order({ id: 'b', fulfilment_status: 'ready' })]).ready.map(({ id }) => id)).toEqual(['b']);
  });

  test('an order that was cancelled or refunded in full leaves them for its own, where nothing is to be done or late', () => {
    for (const fields of [
      { status: 'cancelled', fulfilment_status: null },
      { fulfilment_status: 'cancelled' },
      { status: 'refunded' },
      { status: 'refunded', fulfilment_status: 'collected' },
    ]) {
      expect(columnOf(order(fields))).toBe('returned');
      expect(actionsOf(order(fields), 'owner')).toMatchObject({ next: null, canDelay: false });
      expect(isLate(order(fields), now)).toBe(false);
    }
    expect(columnOf(order({ status: 'partially_refunded' }))).toBe('accepted');
  });

  test('an order that was read by itself replaces its row, joins the list in the order of due times, or leaves it for the ended ones', () => {
    const pages = [order(), order({ id: 'b', requested_collection_at: at(40) }), order({ id: 'c', requested_collection_at: at(50) })];
    const reread = [
      order({ fulfilment_status: 'ready' }),
      order({ id: 'b', fulfilment_status: 'collected', collected_at: at(29) }),
      order({ id: 'new', requested_collection_at: at(45) }),
    ];
    const merged = mergeOrders(pages, [order({ id: 'old', fulfilment_status: 'collected' })], new Map(reread.map((row) => [row.id, row])));
    expect(merged.live.map(({ id, fulfilment_status }) => `${id} ${fulfilment_status}`)).toEqual(['a ready', 'new accepted', 'c accepted']);
    expect(merged.ended.map(({ id }) => id)).toEqual(['b', 'old']);
  });

  test('an order that two pages hold is shown once', () => {
    expect(mergeOrders([order(), order()], [], new Map()).live).toHaveLength(1);
  });
});

test('an order that no one came for is with those that were collected, and can still be handed over', () => {
  const left = order({ fulfilment_status: 'ready', uncollected: true });
  expect([columnOf(left), actionsOf(left, 'staff').next?.to]).toEqual(['collected', 'collected']);
});

describe('new orders', () => {
  const board = (...ids: string[]) => byColumn(ids.map((id) => order({ id })));
  const read = noteOrders(noArrivals, board('a'), 1);

  test('are those that arrive after the board was read, until they are touched or begun', () => {
    expect([...read.fresh]).toEqual([]);
    const arrived = noteOrders(read, board('a', 'b', 'c'), 1);
    expect([...arrived.fresh]).toEqual(['b', 'c']);
    expect([...touchOrder(arrived, 'b').fresh]).toEqual(['c']);
    const begun = byColumn([order(), order({ id: 'b' }), order({ id: 'c', fulfilment_status: 'preparing' })]);
    expect([...noteOrders(arrived, begun, 1).fresh]).toEqual(['b']);
    expect(noteOrders(arrived, board('a', 'b', 'c'), 1)).toBe(arrived);
  });

  test('do not come with a further page, and an order that comes back to the column is not new', () => {
    expect([...noteOrders(read, board('a', 'older'), 2).fresh]).toEqual([]);
    expect([...noteOrders(noteOrders(read, board(), 1), board('a'), 1).fresh]).toEqual([]);
  });
});

describe('actions', () => {
  const nextOf = (fields: Partial<Order>) => actionsOf(order(fields), 'staff').next;

  test('a collect order goes from step to step by its fulfilment', () => {
    const steps = [null, 'accepted', 'preparing', 'ready', 'collected', 'cancelled'].map((fulfilment_status) =>
      nextOf({ fulfilment_status }),
    );
    expect(steps.map((step) => step?.to ?? null)).toEqual(['accepted', 'preparing', 'ready', 'collected', null, null]);
    expect(new Set(steps.map((step) => step?.kind))).toEqual(new Set(['fulfilment', undefined]));
  });

  test('an order that is taken at once is ready, then handed over, by its business status', () => {
    expect(nextOf({ order_type: 'buy_now' })).toMatchObject({ kind: 'business', to: 'ready' });
    expect(nextOf({ order_type: 'buy_now', fulfilment_status: 'ready' })).toMatchObject({ kind: 'business', to: 'fulfilled' });
  });

  test('an order that has ended is neither cancelled nor late', () => {
    for (const fulfilment_status of ['collected', 'cancelled'])
      expect(actionsOf(order({ fulfilment_status }), 'owner')).toMatchObject({ canCancel: false, canDelay: false });
    expect(actionsOf(order(), 'staff')).toMatchObject({ canCancel: true, canDelay: true });
  });

  test('what is left of a payment can be refunded, unless the bank disputes it', () => {
    expect(actionsOf(order({ refunded_pence: 100, status: 'partially_refunded' }), 'staff').refundable).toBe(530);
    expect(actionsOf(order({ status: 'cancelled', fulfilment_status: 'cancelled' }), 'staff').refundable).toBe(630);
    expect(actionsOf(order({ total_pence: 0 }), 'staff').refundable).toBe(0);
    for (const fields of [{ disputed: true }, { status: 'refunded', refunded_pence: 630 }, { status: 'pending_payment' }])
      expect(actionsOf(order(fields), 'owner').refundable).toBeNull();
  });

  test('an order that was cancelled before it was paid is not called paid, and nothing of it is refunded', () => {
    const never = order({ status: 'cancelled', fulfilment_status: null, accepted_at: null, paid_at: null });
    expect([paymentOf(never).text, actionsOf(never, 'owner').refundable]).toEqual(['never paid', null]);
    const paid = order({ status: 'cancelled' });
    expect([paymentOf(paid).text, actionsOf(paid, 'owner').refundable]).toEqual(['paid', 630]);
  });

  test('a status is corrected to the one before it by an owner or manager, unless all of the money went back', () => {
    const correctTo = (fields: Partial<Order>, role = 'manager') => actionsOf(order(fields), role).correctTo;
    const steps = [null, 'accepted', 'preparing', 'ready', 'collected', 'cancelled'] as const;
    expect(steps.map((fulfilment_status) => correctTo({ fulfilment_status }))).toEqual([
      null,
      null,
      'accepted',
      'preparing',
      'ready',
      null,
    ]);
    const atOnce = { order_type: 'buy_now' };
    expect(steps.map((fulfilment_status) => correctTo({ ...atOnce, fulfilment_status }))).toEqual([
      null,
      null,
      null,
      'placed',
      'ready',
      null,
    ]);
    const collected = { fulfilment_status: 'collected' };
    expect([correctTo(collected, 'owner'), correctTo(collected, 'staff')]).toEqual(['ready', null]);
    expect(correctTo({ ...collected, status: 'refunded' })).toBeNull();
  });
});

describe('timers', () => {
  test('count from the last change', () => {
    expect(changedAt(order())).toBe(at(10));
    expect(changedAt(order({ preparing_at: at(15), ready_at: at(18) }))).toBe(at(18));
  });

  test('say the time of a slot in the store’s zone', () => {
    expect(timeText(at(5), 'Europe/London')).toBe('13:05');
  });

  test('say spans in words', () => {
    const spans = [-5, 0, 59_999, minute, 59 * minute, 60 * minute, 125 * minute, 3 * 1440 * minute];
    expect(spans.map(spanOf)).toEqual(['now', 'now', 'now', '1 min', '59 min', '1 h 00', '2 h 05', '3 d']);
    expect([at(40), at(30), at(20), null].map((due) => dueText(due, now))).toEqual(['due in 10 min', 'due now', 'late 10 min', null]);
  });

  test('an order is late when its time is over and it is not ready; a delay notice moves the time', () => {
    expect(isLate(order(), now)).toBe(true);
    expect(isLate(order({ revised_ready_at: at(45) }), now)).toBe(false);
    expect(isLate(order({ fulfilment_status: 'ready' }), now)).toBe(false);
    expect(isLate(order({ requested_collection_at: null }), now)).toBe(false);
  });
});
