import { Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import type { ProviderOutcome } from '../provider/rules.ts';
import { attemptKey, checkRepeatedAttempt, decideRefund, hasEndedInVain, type Refundable, settlementOf } from './rules.ts';

const paidAt = new Date('2026-05-01T12:00:00Z');
const order: Refundable = {
  payment_status: 'paid',
  total_pence: 640,
  disputed: false,
  paidAt,
  reservedPence: 0,
  refunds: 0,
  reversedPence: 0,
  windowDays: 30,
};

/** The decision, or the code of the problem. */
function decide(changes: Partial<Refundable>, pence: number | null = null, now = paidAt) {
  try {
    return decideRefund({ ...order, ...changes }, pence, now);
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
}

test('without an amount a refund takes all that remains', () => {
  expect(decide({})).toEqual({ amountPence: 640, borneBy: 'store', toReversePence: 0 });
  expect(decide({ reservedPence: 240, refunds: 1 })).toEqual({ amountPence: 400, borneBy: 'store', toReversePence: 0 });
});

test('a leg is refunded up to its own rest, and up to the rest of the whole order', () => {
  expect(decide({ legRemainingPence: 200 })).toMatchObject({ amountPence: 200 });
  expect(decide({ legRemainingPence: 200, reservedPence: 540 })).toMatchObject({ amountPence: 100 });
  expect(decide({ legRemainingPence: 200 }, 201)).toBe('REFUND_AMOUNT_EXCEEDS_REMAINING');
});

test('the refund window includes its last millisecond', () => {
  const end = paidAt.getTime() + 30 * 86_400_000;
  expect(decide({}, null, new Date(end))).toMatchObject({ amountPence: 640 });
  expect(decide({}, null, new Date(end + 1))).toBe('REFUND_WINDOW_EXPIRED');
});

test.each<[string, Partial<Refundable>, number | null]>([
  ['ORDER_NOT_PAID', { payment_status: 'expired' }, null],
  ['ORDER_NOT_PAID', { paidAt: null }, null],
  ['ORDER_DISPUTED', { disputed: true }, null],
  ['ALREADY_REFUNDED', { reservedPence: 640, refunds: 1 }, null],
  ['ALREADY_REFUNDED', { total_pence: 0, refunds: 1 }, null],
  ['REFUND_LIMIT_REACHED', { reservedPence: 200, refunds: 20 }, 1],
  ['REFUND_AMOUNT_EXCEEDS_REMAINING', {}, 641],
  ['REFUND_AMOUNT_EXCEEDS_REMAINING', { total_pence: 0 }, 1],
])('a refund is refused with %s for %j and %p pence', (code, changes, pence) => {
  expect(decide(changes, pence)).toBe(code);
});

describe('after a failed refund that left the transfer reversed', () => {
  test('the reversed amount is used first, without reversing again', () => {
    expect(decide({ reversedPence: 200 }, 200)).toEqual({ amountPence: 200, borneBy: 'reversed', toReversePence: 0 });
    expect(decide({ reversedPence: 200 }, 150)).toEqual({ amountPence: 150, borneBy: 'reversed', toReversePence: 0 });
  });

  test('of a greater amount only the rest is reversed', () => {
    expect(decide({ reversedPence: 200 }, 201)).toEqual({ amountPence: 201, borneBy: 'reversed', toReversePence: 1 });
    expect(decide({ reversedPence: 200 })).toEqual({ amountPence: 640, borneBy: 'reversed', toReversePence: 440 });
  });
});

test('an attempt is repeated only for what was asked for: an amount, or all', () => {
  expect(() => checkRepeatedAttempt({ requested_pence: 100 }, 100)).not.toThrow();
  expect(() => checkRepeatedAttempt({ requested_pence: null }, null)).not.toThrow();
  expect(() => checkRepeatedAttempt({ requested_pence: 100 }, 101)).toThrow('this attempt was for 100 pence; send a new refund_attempt_id');
  expect(() => checkRepeatedAttempt({ requested_pence: 100 }, null)).toThrow('this attempt was for 100 pence');
  expect(() => checkRepeatedAttempt({ requested_pence: null }, 100)).toThrow('this attempt was for all that remained');
});

test('a refund is over in vain when the provider declined it, or it failed or was canceled', () => {
  const statuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected'];
  expect(statuses.filter((status) => hasEndedInVain({ status }))).toEqual(['failed', 'canceled', 'rejected']);
});

test('the same attempt id names different attempts of an order and of its legs', () => {
  expect(attemptKey('a', 'order', 'order')).toBe('a');
  expect(attemptKey('a', 'leg', 'order')).toBe('leg:a');
});

describe('settling a refund', () => {
  const order = { total_pence: 640, refunded_pence: 0, fully_refunded: false, is_first: true };
  const pending = { status: 'pending', provider_refund_id: null, amount_pence: 240, counted: false };
  const report = (status: ProviderOutcome['status']): ProviderOutcome => ({ id: 're_1', status });

  describe('a refund that is accepted for the first time', () => {
    test.each(['pending', 'requires_action', 'succeeded'] as const)('is added to the sums when the provider reports %s', (status) => {
      expect(settlementOf(order, pending, report(status))).toEqual({
        counted: true,
        change: 'added',
        refundedPence: 240,
        fullyRefunded: false,
        promo: null,
      });
    });

    test('releases the promo code when it makes the refund full', () => {
      const rest = { ...order, refunded_pence: 400 };
      expect(settlementOf(rest, pending, report('succeeded'))).toMatchObject({ refundedPence: 640, fullyRefunded: true, promo: 'release' });
    });

    test('makes the refund of an order that cost nothing full', () => {
      const free = { ...order, total_pence: 0 };
      expect(settlementOf(free, { ...pending, amount_pence: 0 }, report('succeeded'))).toMatchObject({ fullyRefunded: true });
    });
  });

  describe('a refund that fails', () => {
    const counted = { status: 'succeeded', provider_refund_id: 're_1', amount_pence: 240, counted: true };
    const refunded = { ...order, refunded_pence: 640, fully_refunded: true };

    test.each(['failed', 'canceled'] as const)(
      'is removed from the sums when the provider reports %s, and the code is used again',
      (status) => {
        expect(settlementOf(refunded, counted, report(status))).toEqual({
          counted: false,
          change: 'removed',
          refundedPence: 400,
          fullyRefunded: false,
          promo: 'retake',
        });
      },
    );

    test('does not use the code again for an order whose payment came too late', () => {
      expect(settlementOf({ ...refunded, is_first: null }, counted, report('failed'))).toMatchObject({ promo: null });
    });

    test('changes no sum when it was never accepted, and is published', () => {
      expect(settlementOf(order, pending, report('failed'))).toMatchObject({ counted: false, change: 'failed', refundedPence: 0 });
    });
  });

  test('a report that is known already, or that follows a failure, changes nothing', () => {
    const counted = { status: 'succeeded', provider_refund_id: 're_1', amount_pence: 240, counted: true };
    expect(settlementOf(order, counted, report('succeeded'))).toBeNull();
    expect(settlementOf(order, { ...counted, status: 'failed', counted: false }, report('succeeded'))).toBeNull();
  });
});
