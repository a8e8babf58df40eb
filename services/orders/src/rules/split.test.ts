import { expect, test } from '@jest/globals';
import { randomly } from '../testing/randomly.ts';
import { splitByWeight } from './split.ts';

const sum = (shares: readonly number[]) => shares.reduce((a, b) => a + b, 0);

test.each([
  [10, [1, 1, 1], [4, 3, 3]],
  [128, [350, 290, 640], [35, 29, 64]],
  [1, [1, 1], [1, 0]],
  [2, [1, 2, 1], [1, 1, 0]],
  [7, [0, 7], [0, 7]],
  [0, [5, 5], [0, 0]],
  [5, [5], [5]],
  [0, [], []],
  [0, [0, 0], [0, 0]],
  [99_999_999, [99_999_999, 99_999_999, 1], [49_999_999, 49_999_999, 1]],
])('%i over %j is %j', (pence, weights, shares) => {
  expect(splitByWeight(pence, weights)).toEqual(shares);
});

test('shares sum to the whole, none is negative or exceeds its weight, and each is within a penny of its exact part', () => {
  for (const draw of randomly(2_000)) {
    const weights = Array.from({ length: draw(1, 6) }, () => (draw(0, 4) === 0 ? 0 : draw(0, draw(0, 1) ? 40 : 50_000_000)));
    const whole = sum(weights);
    const pence = draw(0, whole);
    const shares = splitByWeight(pence, weights);
    expect(sum(shares)).toBe(pence);
    shares.forEach((share, n) => {
      const weight = weights[n] ?? 0;
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(weight);
      if (whole > 0) expect(Math.abs(share - (pence * weight) / whole)).toBeLessThan(1);
    });
  }
});
