import { expect, test } from '@jest/globals';
import { countsAfterEach, vouchersDue } from './card-balance.ts';

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
