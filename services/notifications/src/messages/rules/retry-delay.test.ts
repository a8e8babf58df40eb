import { describe, expect, test } from '@jest/globals';
import { retryDelaySeconds } from './settlement.ts';

describe('retryDelaySeconds', () => {
  test('is 10 seconds after the first attempt and three times as long after each further one, 4 hours at most', () => {
    expect([1, 2, 3, 4, 8, 9].map((attempts) => retryDelaySeconds(attempts, 0, 0))).toEqual([10, 30, 90, 270, 14_400, 14_400]);
  });

  test('is shortened by at most half', () => {
    expect(retryDelaySeconds(2, 0, 1)).toBe(15);
  });

  test('is never shorter than the provider’s Retry-After, up to 4 hours', () => {
    expect(retryDelaySeconds(1, 600, 0.5)).toBe(600);
    expect(retryDelaySeconds(1, 1_000_000, 0.5)).toBe(14_400);
  });
});
