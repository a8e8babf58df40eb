import { Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ProviderOutcome } from '../provider/rules.ts';
import { decideRefund, hasEndedInVain, type Refundable, remainingPence, type StoredRefund } from './rules/amounts.ts';
import { attemptOf, checkRepeatedAttempt } from './rules/attempts.ts';
import { decideOutcome } from './rules/outcomes.ts';

const paidAt = new Date('2026-05-01T12:00:00Z');
const order = {
  id: 'order',
  version: 3,
  payment_status: 'paid',
  total_pence: 640,
  disputed: false,
  paid_at: paidAt.toISOString(),
  fully_refunded: false,
  is_first: true,
  promo_code: 'SUMMER',
};
const leg = { id: 'leg', version: 2, total_pence: 200 };

const refund = (amount_pence: number, fields: Partial<StoredRefund> = {}): StoredRefund => ({
  id: 'refund',
  order_id: 'order',
  attempt: 'a',
  amount_pence,
  status: 'succeeded',
  provider_refund_id: 're_1',
  counted: true,
  borne_by: 'store',
  reversed_pence: 0,
  lines: [],
  ...fields,
});

interface Case {
  readonly main?: Partial<Refundable['main']>;
  readonly target?: Refundable['target'];
  readonly refunds?: readonly StoredRefund[];
}

function decide({ main, target, refunds = [] }: Case, pence: number | null = null, now = paidAt) {
  const paid = { currency: 'GBP', ...order, ...main };
  try {
    return decideRefund({ main: paid, target: target ?? paid, refunds, windowDays: 30 }, pence, now);
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
}

test('without an amount a refund takes all that remains', () => {
  expect(decide({})).toEqual({ amountPence: 640, borneBy: 'store', toReversePence: 0 });
  expect(decide({ refunds: [refund(240)] })).toEqual({ amountPence: 400, borneBy: 'store', toReversePence: 0 });
});

test('a leg is refunded up to its own rest, and up to the rest of the whole order', () => {
  const ofLeg = { order_id: 'leg' };
  expect(decide({ target: leg })).toMatchObject({ amountPence: 200 });
  expect(decide({ target: leg, refunds: [refund(50, ofLeg)] })).toMatchObject({ amountPence: 150 });
  expect(decide({ target: leg, refunds: [refund(540)] })).toMatchObject({ amountPence: 100 });
  expect(decide({ target: leg }, 201)).toBe('REFUND_AMOUNT_EXCEEDS_REMAINING');
});

test('a refund that moved no money takes nothing from the rest, one that is pending does', () => {
  const refunds = [
    refund(100, { status: 'pending' }),
    refund(50, { status: 'rejected' }),
    refund(20, { status: 'failed', order_id: 'leg' }),
  ];
  expect(remainingPence(order, order, refunds)).toBe(540);
  expect(remainingPence(order, leg, refunds)).toBe(200);
});

test('the refund window includes its last millisecond', () => {
  const end = paidAt.getTime() + 30 * 86_400_000;
  expect(decide({}, null, new Date(end))).toMatchObject({ amountPence: 640 });
  expect(decide({}, null, new Date(end + 1))).toBe('REFUND_WINDOW_EXPIRED');
});

test.each<[string, Case, number | null]>([
  ['ORDER_NOT_PAID', { main: { payment_status: 'expired' } }, null],
  ['ORDER_NOT_PAID', { main: { paid_at: null } }, null],
  ['ORDER_DISPUTED', { main: { disputed: true } }, null],
  ['ALREADY_REFUNDED', { refunds: [refund(640)] }, null],
  ['ALREADY_REFUNDED', { main: { total_pence: 0 }, refunds: [refund(0)] }, null],
  ['REFUND_LIMIT_REACHED', { refunds: Array.from({ length: 20 }, () => refund(10)) }, 1],
  ['REFUND_AMOUNT_EXCEEDS_REMAINING', {}, 641],
  ['REFUND_AMOUNT_EXCEEDS_REMAINING', { main: { total_pence: 0 } }, 1],
])('a refund is refused with %s for %j and %p pence', (code, given, pence) => {
  expect(decide(given, pence)).toBe(code);
});

describe('after a failed refund that left the transfer reversed', () => {
  const failed = refund(200, { status: 'failed', counted: false });

  test('the reversed amount is used first, without reversing again', () => {
    expect(decide({ refunds: [failed] }, 200)).toEqual({ amountPence: 200, borneBy: 'reversed', toReversePence: 0 });
    expect(decide({ refunds: [failed] }, 150)).toEqual({ amountPence: 150, borneBy: 'reversed', toReversePence: 0 });
  });

  test('of a greater amount only the rest is reversed', () => {
    expect(decide({ refunds: [failed] }, 201)).toEqual({ amountPence: 201, borneBy: 'reversed', toReversePence: 1 });
    expect(decide({ refunds: [failed] })).toEqual({ amountPence: 640, borneBy: 'reversed', toReversePence: 440 });
  });

  test('what a later refund used of it is not used again, and what was reversed for one that failed is', () => {
    const used = refund(150, { borne_by: 'reversed' });
    expect(decide({ refunds: [failed, used] }, 100)).toEqual({ amountPence: 100, borneBy: 'reversed', toReversePence: 50 });
    const failedAgain = refund(300, { status: 'failed', borne_by: 'reversed', reversed_pence: 100, counted: false });
    expect(decide({ refunds: [failed, failedAgain] }, 300)).toEqual({ amountPence: 300, borneBy: 'reversed', toReversePence: 0 });
  });

  test('a refund that the provider declined, or that the platform bore, left nothing reversed', () => {
    const refunds = [refund(200, { status: 'rejected' }), refund(200, { status: 'failed', borne_by: 'platform' })];
    expect(decide({ refunds }, 100)).toMatchObject({ borneBy: 'store' });
  });
});

test('an attempt is repeated only for what was asked for: lines, an amount, or all', () => {
  const all = { requested_pence: null, lines: [] };
  const ofAmount = { requested_pence: 100, lines: [] };
  const ofLines = { requested_pence: 100, lines: [{ position: 2, quantity: 1, restock: false, amount_pence: 100 }] };
  const amount = (amountPence: number | null) => ({ amountPence, lines: null });
  const lines = (...requested: { position: number; quantity: number; restock: boolean }[]) => ({ amountPence: null, lines: requested });
  expect(() => checkRepeatedAttempt(ofAmount, amount(100), 'GBP')).not.toThrow();
  expect(() => checkRepeatedAttempt(all, amount(null), 'GBP')).not.toThrow();
  expect(() => checkRepeatedAttempt(ofLines, lines({ position: 2, quantity: 1, restock: false }), 'GBP')).not.toThrow();
  expect(() => checkRepeatedAttempt(ofAmount, amount(101), 'GBP')).toThrow('this attempt was for £1.00; send a new refund_attempt_id');
  expect(() => checkRepeatedAttempt(ofAmount, amount(null), 'GBP')).toThrow('this attempt was for £1.00');
  expect(() => checkRepeatedAttempt(all, amount(100), 'GBP')).toThrow('this attempt was for all that remained');
  expect(() => checkRepeatedAttempt(ofLines, amount(100), 'GBP')).toThrow('lines: this attempt was for other lines');
  for (const changed of [{ position: 1 }, { quantity: 2 }, { restock: true }]) {
    const other = lines({ position: 2, quantity: 1, restock: false, ...changed });
    expect(() => checkRepeatedAttempt(ofLines, other, 'GBP')).toThrow('lines: this attempt was for other lines');
    expect(() => checkRepeatedAttempt(all, other, 'GBP')).toThrow('lines: this attempt was for all that remained');
  }
});

test('a refund is over in vain when the provider declined it, or it failed or was canceled', () => {
  const statuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected'] as const;
  expect(statuses.filter((status) => hasEndedInVain({ status }))).toEqual(['failed', 'canceled', 'rejected']);
});

test('the same attempt id names different attempts of an order and of its legs', () => {
  const name = { name: 'a', isOwnId: true };
  expect(attemptOf(name, { main: order, target: order, refunds: [] })).toEqual({ attempt: 'a', existing: null });
  expect(attemptOf(name, { main: order, target: leg, refunds: [refund(1)] })).toEqual({ attempt: 'leg:a', existing: null });
});

test('without an id of its own, a request after a refund that ended in vain is a new attempt', () => {
  const ended = refund(1, { status: 'failed' });
  const family = { main: order, target: order };
  expect(attemptOf({ name: 'a', isOwnId: false }, { ...family, refunds: [ended] })).toEqual({ attempt: 'a#2', existing: null });
  expect(attemptOf({ name: 'a', isOwnId: true }, { ...family, refunds: [ended] })).toEqual({ attempt: 'a', existing: ended });
});

describe('what a report of the provider changes', () => {
  const pending = refund(240, { status: 'pending', provider_refund_id: null, counted: false });
  const earlier = refund(400, { id: 'earlier' });
  const report = (status: ProviderOutcome['status']): ProviderOutcome => ({ id: 're_1', status });
  const decideReported = (own: StoredRefund, status: ProviderOutcome['status'], main = order, others: readonly StoredRefund[] = []) =>
    decideOutcome({ main, legs: [leg] }, [own, ...others], own, report(status));

  describe('a refund that is accepted for the first time', () => {
    test.each(['pending', 'requires_action', 'succeeded'] as const)('is added to the sums when the provider reports %s', (status) => {
      expect(decideReported(pending, status)).toEqual({
        counted: true,
        change: 'added',
        main: { id: 'order', version: 4, refunded_pence: 240, fully_refunded: false },
        legs: [{ id: 'leg', version: 2, refunded_pence: 0, fully_refunded: false }],
        promo: null,
      });
    });

    test('of a leg is added to the leg’s own sum, and makes it full', () => {
      const ofLeg = { ...pending, order_id: 'leg', amount_pence: 200 };
      expect(decideReported(ofLeg, 'succeeded')).toMatchObject({
        main: { refunded_pence: 200, fully_refunded: false },
        legs: [{ refunded_pence: 200, fully_refunded: true }],
      });
    });

    test('releases the promo code when it makes the refund full, of each leg too', () => {
      expect(decideReported(pending, 'succeeded', order, [earlier])).toMatchObject({
        main: { refunded_pence: 640, fully_refunded: true },
        legs: [{ refunded_pence: 200, fully_refunded: true }],
        promo: 'release',
      });
    });

    test('makes the refund of an order that cost nothing full', () => {
      const free = { ...order, total_pence: 0 };
      expect(decideReported({ ...pending, amount_pence: 0 }, 'succeeded', free)).toMatchObject({ main: { fully_refunded: true } });
    });
  });

  describe('a refund that fails', () => {
    const counted = refund(240);
    const refunded = { ...order, fully_refunded: true };

    test.each(['failed', 'canceled'] as const)(
      'is removed from the sums when the provider reports %s, and the code is used again',
      (status) => {
        expect(decideReported(counted, status, refunded, [earlier])).toEqual({
          counted: false,
          change: 'removed',
          main: { id: 'order', version: 4, refunded_pence: 400, fully_refunded: false },
          legs: [{ id: 'leg', version: 2, refunded_pence: 0, fully_refunded: false }],
          promo: 'retake',
        });
      },
    );

    test('does not use the code again for an order whose payment came too late', () => {
      const late = { ...refunded, is_first: null as never };
      expect(decideReported(counted, 'failed', late, [earlier])).toMatchObject({ promo: null });
    });

    test('changes no sum when it was never accepted, and is published', () => {
      expect(decideReported(pending, 'failed')).toMatchObject({
        counted: false,
        change: 'failed',
        main: { version: 4, refunded_pence: 0 },
      });
    });
  });

  test('a report that is recorded already, or that follows a failure, changes nothing', () => {
    const counted = refund(240);
    expect(decideReported(counted, 'succeeded')).toBeNull();
    expect(decideReported({ ...counted, status: 'failed', counted: false }, 'succeeded')).toBeNull();
  });
});
