import { noStampReasons, orderMessages, storyActors, storyKinds } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { earnedStamps } from './rules/earned-stamps.ts';
import type { Fact, OrderStamps, RecordedOrder } from './rules/facts.ts';
import { storyOf } from './rules/story.ts';
import { entryOf, stampsIn } from './texts/write-story.ts';

const at = (minute: number) => `2026-06-01T12:${String(minute).padStart(2, '0')}:00.000000Z`;
const order: RecordedOrder = {
  id: 'o',
  customer_id: 'c',
  currency: 'GBP',
  time_zone: 'Europe/London',
  payment_status: 'paid',
  is_first: true,
  without_customer: false,
  created_at: at(0),
  paid_at: at(1),
  total_pence: 1000,
  promo_discount_pence: 0,
  promo_label: null,
  voucher_discount_pence: 0,
  voucher_id: null,
  parts: [],
  log: [],
  refunds: [],
};
const nothing: OrderStamps = { award: null, stamps: [], lost: false, voucher: null };
const kindsOf = (facts: readonly Fact[]) => facts.map(({ kind }) => kind);
const refund = (minute: number, amount_pence: number, more: Partial<RecordedOrder['refunds'][number]> = {}) => ({
  id: `r${minute}`,
  order_id: 'o',
  amount_pence,
  status: 'succeeded',
  counted: true,
  by_id: 'p',
  by_name: 'Bo',
  reason: 'Cold.',
  created_at: at(minute),
  accepted_at: at(minute),
  settled_at: at(minute),
  ...more,
});

describe('stamps', () => {
  test('that were taken back by a lost dispute say so, and those that count need no reason', () => {
    const taken = { ...nothing, lost: true, stamps: [{ given_at: at(1), taken_back_at: at(5) }] };
    expect(earnedStamps(order, taken)).toMatchObject({ counting: 0, taken_back: 1, reason: 'dispute_lost' });
    expect(kindsOf(storyOf(order, taken, []))).toEqual(['placed', 'stamps_earned', 'stamps_taken_back']);
    const counts = { ...nothing, stamps: [{ given_at: at(1), taken_back_at: null }] };
    expect(earnedStamps(order, counts)).toMatchObject({ counting: 1, reason: null });
  });

  test('of an order that was refunded before its award never counted', () => {
    const never = { ...nothing, stamps: [{ given_at: at(2), taken_back_at: at(2) }] };
    expect(storyOf(order, never, []).at(-1)).toMatchObject({ kind: 'no_stamp', reason: 'refunded' });
  });

  test('of a payment that came too late are none, and those of an order are not known while loyalty is away', () => {
    expect(earnedStamps({ ...order, is_first: null }, null)).toMatchObject({ reason: 'paid_too_late' });
    expect(earnedStamps(order, null)).toBeNull();
    expect(kindsOf(storyOf(order, null, []))).toEqual(['placed']);
  });
});

describe('refunds', () => {
  test('are whole once they sum to what was paid, and one that failed before does not count', () => {
    const failed = refund(2, 600, { counted: false, status: 'failed', settled_at: at(3) });
    const facts = storyOf({ ...order, refunds: [failed, refund(4, 500), refund(5, 500)] }, nothing, []);
    expect(kindsOf(facts).filter((kind) => kind !== 'no_stamp')).toEqual([
      'placed',
      'partly_refunded',
      'refund_failed',
      'partly_refunded',
      'refunded',
    ]);
  });

  test('that the provider has not accepted are requested, or failed, and none is of staff that the service owes', () => {
    const waiting = refund(2, 600, { counted: false, status: 'pending', accepted_at: null, settled_at: null, by_id: 'corner' });
    const declined = refund(3, 600, { counted: false, status: 'rejected', accepted_at: null });
    const facts = storyOf({ ...order, refunds: [waiting, declined] }, nothing, []);
    expect(facts.slice(-2)).toMatchObject([
      { kind: 'refund_requested', by: 'system', by_name: null, note: null },
      { kind: 'refund_failed', by: 'store', by_name: 'Bo', note: 'Cold.' },
    ]);
  });
});

test('a voucher is given back with the full refund, or with the end of an order that was not paid', () => {
  const used = { ...order, voucher_id: 'v', voucher_discount_pence: 100 };
  const returned = { ...nothing, voucher: { reward_title: 'A coffee', returned: true } };
  expect(kindsOf(storyOf({ ...used, refunds: [refund(4, 1000)] }, returned, []))).toContain('voucher_returned');
  expect(kindsOf(storyOf(used, { ...nothing, voucher: { reward_title: null, returned: false } }, []))).not.toContain('voucher_returned');
  const log = [{ at: at(6), order_id: 'o', kind: 'expired', actor: null, detail: null, amount_pence: null }];
  expect(storyOf({ ...used, payment_status: 'expired', paid_at: null, log }, null, []).at(-1)).toMatchObject({
    kind: 'voucher_returned',
    at: at(6),
  });
});

describe.each(['en', 'fr'] as const)('sentences in %s', (language) => {
  const everyFact = { amount_pence: 100, title: 'A coffee', expected_at: at(9), stamps: 2, count_after: 3, goal: 5, reason: 'refunded' };
  test.each(storyKinds)('%s has one for the customer and one for the store', (kind) => {
    for (const by of storyActors)
      for (const about of orderMessages) {
        const fact = { ...everyFact, at: at(1), kind, part: null, by_name: 'Bo', note: null, by, about, channel: 'push' } as Fact;
        for (const isCustomer of [true, false])
          expect(entryOf(fact, { language, order, isCustomer }).text).toMatch(/^(?!.*(undefined|null|NaN)).{10,}\.$/);
      }
  });

  test.each(noStampReasons)('%s is a reason', (reason) => {
    const earned = { counting: 0, taken_back: 0, reason, amount_pence: 500 };
    expect(stampsIn(earned, { language, order, isCustomer: true })?.text).toMatch(/\.$/);
  });
});
