import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type RatedLine, sumVat } from './vat.ts';

const line = (vat_rate_bps: number | null, unit_price_pence: number, quantity = 1): RatedLine => ({
  vat_rate_bps,
  unit_price_pence,
  quantity,
});
const sumOf = (lines: readonly RatedLine[]) => lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);

test.each<[string, readonly RatedLine[], number, readonly (readonly [number | null, number, number, number])[]]>([
  ['one rate', [line(2000, 600, 2)], 0, [[2000, 1000, 200, 1200]]],
  ['half a penny is rounded up', [line(2000, 3)], 0, [[2000, 2, 1, 3]]],
  ['each rate is rounded once, not each line', [line(2000, 2), line(2000, 2), line(2000, 2)], 0, [[2000, 5, 1, 6]]],
  [
    'rates are apart, the highest first, and items without a rate last',
    [line(null, 100), line(0, 200), line(550, 211), line(2000, 120)],
    0,
    [
      [2000, 100, 20, 120],
      [550, 200, 11, 211],
      [0, 200, 0, 200],
      [null, 100, 0, 100],
    ],
  ],
  [
    'a discount is split by what each rate costs',
    [line(2000, 900), line(500, 300)],
    400,
    [
      [2000, 500, 100, 600],
      [500, 190, 10, 200],
    ],
  ],
  ['goods that cost nothing have no VAT', [line(2000, 500)], 500, []],
])('%s', (_, lines, discount, expected) => {
  expect(sumVat(lines, discount).map((sum) => [sum.rate_bps, sum.net_pence, sum.vat_pence, sum.gross_pence])).toEqual(expected);
});

test('the gross amounts add up to the lines less the discount, and each VAT is within half a penny of its exact amount', () => {
  const rates = fc.oneof(fc.constantFrom(null, 0, 500, 550, 1000, 2000), fc.integer({ min: 0, max: 10_000 }));
  const lines = fc.array(
    fc.record({ vat_rate_bps: rates, quantity: fc.integer({ min: 1, max: 99 }), unit_price_pence: fc.nat({ max: 1_000_000 }) }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const discount = Math.floor(sumOf(given) * share);
      const sums = sumVat(given, discount);
      expect(sums.reduce((sum, { gross_pence }) => sum + gross_pence, 0)).toBe(sumOf(given) - discount);
      expect(new Set(sums.map(({ rate_bps }) => rate_bps)).size).toBe(sums.length);
      for (const { rate_bps, net_pence, vat_pence, gross_pence } of sums) {
        const rate = rate_bps ?? 0;
        expect(net_pence + vat_pence).toBe(gross_pence);
        expect(Math.min(net_pence, vat_pence)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(vat_pence - (gross_pence * rate) / (10_000 + rate))).toBeLessThanOrEqual(0.5 + 1e-6);
      }
    }),
  );
});
