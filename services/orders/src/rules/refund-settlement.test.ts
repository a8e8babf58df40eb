import { describe, expect, test } from '@jest/globals';
import { type ProviderOutcome, settlementOf } from './refund-settlement.ts';

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
