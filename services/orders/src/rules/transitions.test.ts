import { type BusinessStatus, businessStatuses, type FulfilmentStatus, fulfilmentStatuses, Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { businessMove, fulfilmentMove, type OrderState } from './transitions.ts';

/** The outcome of a move: the new state, null, or the problem's code with the allowed moves. */
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
