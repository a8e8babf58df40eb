import { describe, expect, test } from '@jest/globals';
import { countsAfterEach, exceededLimit, monthlyQuota, monthlyQuotaExceeded, vouchersDue } from './rules.ts';

test.each([
  [0, 3, 0, 0],
  [2, 3, 0, 2],
  [3, 3, 1, 0],
  [7, 3, 2, 1],
  [4, 1, 4, 0],
])('%i stamps at a goal of %i complete %i vouchers and leave %i stamps', (stampCount, goal, vouchers, left) => {
  expect(vouchersDue(stampCount, goal)).toEqual({ vouchers, stampCount: left });
});

test('a goal of zero is a bug, not an endless number of vouchers', () => {
  expect(() => vouchersDue(3, 0)).toThrow();
});

test('the count rises by one with each stamp and never falls below zero', () => {
  expect(countsAfterEach(5, 3)).toEqual([3, 4, 5]);
  expect(countsAfterEach(1, 3)).toEqual([0, 0, 1]);
  expect(countsAfterEach(0, 0)).toEqual([]);
});

describe('monthlyQuota', () => {
  test.each([
    ['free', undefined, 100],
    ['growth', undefined, 5_000],
    ['pro', undefined, null],
    ['a plan we do not know', undefined, null],
    ['free', 7, 7],
    ['free', null, null],
  ])('plan %s with an agreed quota of %s allows %s stamps', (plan, own, quota) => {
    expect(monthlyQuota(plan, own)).toBe(quota);
  });
});

describe('exceededLimit', () => {
  const limits = { daily_stamp_limit: 2, monthly_stamp_quota: 10 };
  const approved = { approved: true };

  test('the last stamp within both limits is allowed', () => {
    expect(exceededLimit(limits, { day: 1, month: 9 }, approved)).toBeNull();
  });

  test('the daily limit is checked first', () => {
    expect(exceededLimit(limits, { day: 2, month: 10 }, approved)).toBe('DAILY_LIMIT_REACHED');
    expect(exceededLimit(limits, { day: 1, month: 10 }, approved)).toBe('MONTHLY_LIMIT_REACHED');
  });

  test('a pending stamp does not use the monthly quota', () => {
    expect(exceededLimit(limits, { day: 1, month: 10 }, { approved: false })).toBeNull();
  });

  test('an unlimited plan has no monthly quota', () => {
    expect(exceededLimit({ ...limits, monthly_stamp_quota: null }, { day: 1, month: 1_000_000 }, approved)).toBeNull();
  });
});

test('several stamps must all fit the monthly quota', () => {
  const limits = { daily_stamp_limit: 1, monthly_stamp_quota: 10 };
  expect(monthlyQuotaExceeded(limits, { day: 0, month: 7 }, 3)).toBe(false);
  expect(monthlyQuotaExceeded(limits, { day: 0, month: 8 }, 3)).toBe(true);
});
