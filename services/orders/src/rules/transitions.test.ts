import { type BusinessStatus, businessStatuses, type FulfilmentStatus, fulfilmentStatuses, Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { businessMove, fulfilmentMove, type OrderState } from './transitions.ts';

/** What a move comes to: where the order is then, nothing, or a refusal's code with the moves it lists. */
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

describe('a collect order along its chain', () => {
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

describe('a collect order by its business status moves along the same chain', () => {
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

describe('an order that is served at once', () => {
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

  test.each(pairs)('by an owner with a note, %s to %s: %s', (from, to, expected) => {
    expect(outcome(() => businessMove(buyNow(from), to, { note: true, manages: true }))).toBe(expected);
  });

  test.each(pairs)('by staff, %s to %s: the same, but nothing leads back from fulfilled', (from, to, expected) => {
    const staff = from === 'fulfilled' && to !== 'fulfilled' ? ended : expected;
    expect(outcome(() => businessMove(buyNow(from), to, { note: true, manages: false }))).toBe(staff);
  });

  test('only the way back asks for a note', () => {
    for (const [from, to, expected] of pairs) {
      const needed = from === 'fulfilled' && to === 'ready' ? 'NOTE_REQUIRED' : expected;
      expect(outcome(() => businessMove(buyNow(from), to, { note: false, manages: true }))).toBe(needed);
    }
  });

  test('one that was never accepted moves as a placed one does', () => {
    const order: OrderState = { order_type: 'buy_now', fulfilment_status: null, business_status: 'placed' };
    expect(outcome(() => businessMove(order, 'ready', { note: false, manages: false }))).toBe('ready ready');
  });
});

describe('the own part of a mixed order that was handed over while legs are open', () => {
  const order: OrderState = { order_type: 'buy_now', fulfilment_status: 'collected', business_status: 'placed' };
  const by = { note: false, manages: false };

  test('is not made ready again by staff, as nothing handed over is', () => {
    expect(outcome(() => businessMove(order, 'ready', by))).toBe('INVALID_TRANSITION: cancelled');
  });
  test('is made ready again by an owner who says why', () => {
    expect(outcome(() => businessMove(order, 'ready', { note: true, manages: true }))).toBe('ready ready corrected');
    expect(outcome(() => businessMove(order, 'ready', { note: false, manages: true }))).toBe('NOTE_REQUIRED');
  });
  test('handed over again changes nothing, and what is open of it can be cancelled', () => {
    expect(outcome(() => businessMove(order, 'fulfilled', by))).toBe('same');
    expect(outcome(() => businessMove(order, 'cancelled', by))).toBe('cancelled cancelled');
  });
});
