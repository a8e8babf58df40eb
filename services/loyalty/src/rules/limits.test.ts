import { describe, expect, test } from '@jest/globals';
import { exceededLimit, monthlyQuota, monthlyQuotaExceeded } from './limits.ts';

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
