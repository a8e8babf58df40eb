import { type BusinessStatus, businessStatuses, type FulfilmentStatus, fulfilmentStatuses, Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { isUnpaid, orderStatus, type PaymentStatus } from './rules/status.ts';
import { businessMove, followMove, fulfilmentMove, type Move, type MovedOrder, type OrderState } from './rules/transitions.ts';

function outcome(move: () => { fulfilment: string; business: string; correction: boolean } | null): string {
  try {
    const made = move();
    return made ? `${made.fulfilment} ${made.business}${made.correction ? ' corrected' : ''}` : 'same';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.code}${error.message.match(/allowed: (.+)\.$/)?.[1]?.replace(/^/, ': ') ?? ''}`;
  }
}

const ended = 'INVALID_TRANSITION: nothing: it has ended';
const businessAt = {
  none: 'placed',
  accepted: 'placed',
  preparing: 'placed',
  ready: 'ready',
  collected: 'fulfilled',
  cancelled: 'cancelled',
} as const;
const collect = (at: FulfilmentStatus | 'none'): OrderState => ({
  order_type: 'collect',
  fulfilment_status: at === 'none' ? null : at,
  business_status: businessAt[at],
});

describe('moves of a collect order’s fulfilment status', () => {
  const accept = 'INVALID_TRANSITION: accepted, cancelled';
  const prepare = 'INVALID_TRANSITION: preparing, cancelled';
  const ready = 'INVALID_TRANSITION: ready, cancelled';
  const handOver = 'INVALID_TRANSITION: collected, cancelled';
  const cancelled = 'cancelled cancelled';
  const table: Record<FulfilmentStatus | 'none', readonly string[]> = {
    //          accepted           preparing           ready           collected              cancelled
    none: ['accepted placed', accept, accept, accept, cancelled],
    accepted: ['same', 'preparing placed', prepare, prepare, cancelled],
    preparing: [ready, 'same', 'ready ready', ready, cancelled],
    ready: [handOver, handOver, 'same', 'collected fulfilled', cancelled],
    collected: [ended, ended, ended, 'same', ended],
    cancelled: [ended, ended, ended, ended, 'same'],
  };
  test.each(
    (Object.keys(table) as (keyof typeof table)[]).flatMap((from) => fulfilmentStatuses.map((to, n) => [from, to, table[from][n]])),
  )('%s to %s: %s', (from, to, expected) => {
    expect(outcome(() => fulfilmentMove(collect(from as FulfilmentStatus), to as FulfilmentStatus))).toBe(expected);
  });
});

describe('moves of a collect order’s business status follow its fulfilment status', () => {
  const only = (...allowed: string[]) => `INVALID_TRANSITION: ${allowed.join(', ')}`;
  const table: Record<FulfilmentStatus | 'none', readonly string[]> = {
    //          ready                     fulfilled                cancelled
    none: [only('cancelled'), only('cancelled'), 'cancelled cancelled'],
    accepted: [only('cancelled'), only('cancelled'), 'cancelled cancelled'],
    preparing: ['ready ready', only('ready', 'cancelled'), 'cancelled cancelled'],
    ready: ['same', 'collected fulfilled', 'cancelled cancelled'],
    collected: [ended, 'same', ended],
    cancelled: [ended, ended, 'same'],
  };
  test.each(
    (Object.keys(table) as (keyof typeof table)[]).flatMap((from) =>
      (['ready', 'fulfilled', 'cancelled'] as const).map((to, n) => [from, to, table[from][n]] as const),
    ),
  )('%s to %s: %s', (from, to, expected) => {
    for (const manages of [false, true]) {
      expect(outcome(() => businessMove(collect(from), to, { note: true, manages }))).toBe(expected);
    }
  });
});

describe('moves of a buy-now order', () => {
  const mirror = { placed: 'accepted', ready: 'ready', fulfilled: 'collected', cancelled: 'cancelled' } as const;
  const buyNow = (at: BusinessStatus): OrderState => ({ order_type: 'buy_now', fulfilment_status: mirror[at], business_status: at });
  const back = 'INVALID_TRANSITION: ready';
  const table: Record<BusinessStatus, readonly string[]> = {
    //          ready             fulfilled               cancelled
    placed: ['ready ready', 'collected fulfilled', 'cancelled cancelled'],
    ready: ['same', 'collected fulfilled', 'cancelled cancelled'],
    fulfilled: ['ready ready corrected', 'same', back],
    cancelled: [ended, ended, 'same'],
  };
  const pairs = businessStatuses.flatMap((from) =>
    (['ready', 'fulfilled', 'cancelled'] as const).map((to, n) => [from, to, table[from][n]] as const),
  );

  test.each(pairs)('an owner with a note moves %s to %s: %s', (from, to, expected) => {
    expect(outcome(() => businessMove(buyNow(from), to, { note: true, manages: true }))).toBe(expected);
  });

  test.each(pairs)('staff move %s to %s like an owner, except back from fulfilled', (from, to, expected) => {
    const staff = from === 'fulfilled' && to !== 'fulfilled' ? ended : expected;
    expect(outcome(() => businessMove(buyNow(from), to, { note: true, manages: false }))).toBe(staff);
  });

  test('only taking back a hand-over requires a note', () => {
    for (const [from, to, expected] of pairs) {
      const needed = from === 'fulfilled' && to === 'ready' ? 'NOTE_REQUIRED' : expected;
      expect(outcome(() => businessMove(buyNow(from), to, { note: false, manages: true }))).toBe(needed);
    }
  });

  test('an order that was never accepted moves like a placed one', () => {
    const order: OrderState = { order_type: 'buy_now', fulfilment_status: null, business_status: 'placed' };
    expect(outcome(() => businessMove(order, 'ready', { note: false, manages: false }))).toBe('ready ready');
  });
});

describe('a mixed order whose own part was handed over while legs are open', () => {
  const order: OrderState = { order_type: 'buy_now', fulfilment_status: 'collected', business_status: 'placed' };
  const by = { note: false, manages: false };

  test('cannot be made ready again by staff', () => {
    expect(outcome(() => businessMove(order, 'ready', by))).toBe('INVALID_TRANSITION: cancelled');
  });
  test('can be made ready again by an owner with a note', () => {
    expect(outcome(() => businessMove(order, 'ready', { note: true, manages: true }))).toBe('ready ready corrected');
    expect(outcome(() => businessMove(order, 'ready', { note: false, manages: true }))).toBe('NOTE_REQUIRED');
  });
  test('is unchanged by another hand-over, and can be cancelled', () => {
    expect(outcome(() => businessMove(order, 'fulfilled', by))).toBe('same');
    expect(outcome(() => businessMove(order, 'cancelled', by))).toBe('cancelled cancelled');
  });
});

const paid = { payment_status: 'paid', business_status: 'placed', refunded_pence: 0, fully_refunded: false } as const;

test('the status of a paid order names refunds before cancellation', () => {
  expect(orderStatus(paid)).toBe('paid');
  expect(orderStatus({ ...paid, business_status: 'cancelled' })).toBe('cancelled');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1 })).toBe('partially_refunded');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1, fully_refunded: true })).toBe('refunded');
});

test.each<[PaymentStatus, boolean]>([
  ['pending_payment', true],
  ['payment_failed', true],
  ['paid', false],
  ['expired', false],
  ['cancelled', false],
])('of the payment status %s the order can be paid: %s', (payment_status, unpaid) => {
  expect(isUnpaid({ payment_status })).toBe(unpaid);
});

describe('an order and its legs', () => {
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
});
