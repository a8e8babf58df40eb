import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AcceptedRefund, creditsOf, type RatedLine, sumVat } from './rules.ts';

describe('the VAT of a receipt', () => {
  const line = (vat_rate_bps: number | null, unit_price_pence: number, quantity = 1): RatedLine => ({
    vat_rate_bps,
    unit_price_pence,
    quantity,
  });

  const sumOf = (lines: readonly RatedLine[]) =>
    lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);

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
});

describe('the VAT of a credit note', () => {
  const [main, leg] = ['main', 'leg'];
  const sold = (order_id: string, vat_rate_bps: number | null, unit_price_pence: number, quantity = 1) => ({
    order_id,
    vat_rate_bps,
    unit_price_pence,
    quantity,
  });
  const refund = (amount_pence: number, at: number, changes: Partial<AcceptedRefund> = {}): AcceptedRefund => ({
    order_id: main,
    amount_pence,
    accepted_at: `2026-05-01T12:00:0${at}Z`,
    failed_at: null,
    lines: [],
    ...changes,
  });
  const rowsOf = (credits: ReturnType<typeof creditsOf>) =>
    credits.map(({ vat, tip_pence }) => [
      ...vat.map(({ rate_bps, vat_pence, gross_pence }) => [rate_bps, vat_pence, gross_pence]),
      tip_pence,
    ]);

  /** Coffee of 600 pence at 20 %, a bun of 300 at 0 %, and a tip of 100. */
  const order = { id: main, lines: [sold(main, 2000, 300, 2), sold(main, 0, 300)], discount_pence: 0 };

  test('an amount is of all that was sold, in proportion, and of the tip last', () => {
    expect(rowsOf(creditsOf(order, [refund(90, 1), refund(860, 2), refund(50, 3)]))).toEqual([
      [[2000, 10, 60], [0, 0, 30], 0],
      [[2000, 90, 540], [0, 0, 270], 50],
      [50],
    ]);
  });

  test('lines are of their own rates', () => {
    const lines = [{ vat_rate_bps: 0, sum_pence: 300 }];
    expect(rowsOf(creditsOf(order, [refund(300, 1, { lines }), refund(120, 2)]))).toEqual([
      [[0, 0, 300], 0],
      [[2000, 20, 120], 0],
    ]);
  });

  test('what lines say beyond what is left of their rate is of the other rates', () => {
    const lines = [{ vat_rate_bps: 0, sum_pence: 300 }];
    expect(rowsOf(creditsOf(order, [refund(90, 1), refund(300, 2, { lines })]))[1]).toEqual([[2000, 5, 30], [0, 0, 270], 0]);
  });

  test('an amount of a leg is of the rates of the leg', () => {
    const mixed = { id: main, lines: [sold(main, 2000, 600), sold(leg, 500, 210), sold(leg, 0, 90)], discount_pence: 0 };
    expect(rowsOf(creditsOf(mixed, [refund(100, 1, { order_id: leg })]))).toEqual([[[500, 3, 70], [0, 0, 30], 0]]);
  });

  test('a note that failed later still counts for those before its failure, and for none after it: no note ever changes', () => {
    const lines = [{ vat_rate_bps: 0, sum_pence: 300 }];
    const [first, second, third] = [refund(300, 1, { lines }), refund(120, 2), refund(90, 4)];
    const before = rowsOf(creditsOf(order, [first, second]));
    const after = rowsOf(creditsOf(order, [{ ...first, failed_at: '2026-05-01T12:00:03Z' }, second, third]));
    expect(after.slice(0, 2)).toEqual(before);
    // Of 480 pence of coffee and 300 of buns.
    expect(after[2]).toEqual([[2000, 9, 55], [0, 0, 35], 0]);
  });

  test('once everything is refunded, by any amounts, lines and legs, the credit notes sum to the invoice', () => {
    const rates = fc.constantFrom(null, 0, 500, 550, 2000);
    const sold = fc.record({
      order_id: fc.constantFrom(main, leg),
      vat_rate_bps: rates,
      quantity: fc.integer({ min: 1, max: 9 }),
      unit_price_pence: fc.nat({ max: 2_000 }),
    });
    const parts = fc.array(
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), order_id: fc.constantFrom(main, leg), rate: fc.option(rates) }),
    );
    fc.assert(
      fc.property(fc.array(sold, { minLength: 1, maxLength: 6 }), fc.nat({ max: 500 }), parts, (lines, tip, wanted) => {
        const discount_pence = Math.floor(lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0) / 7);
        const invoice = sumVat(lines, discount_pence);
        let left = invoice.reduce((sum, { gross_pence }) => sum + gross_pence, tip);
        const refunds = [...wanted, { share: 1, order_id: main, rate: null }].map(({ share, order_id, rate }, at) => {
          const amount = Math.floor(left * share);
          left -= amount;
          const ofLines = rate === null || at === wanted.length ? [] : [{ vat_rate_bps: rate, sum_pence: amount }];
          return refund(amount, at, { order_id, lines: ofLines });
        });
        const credits = creditsOf({ id: main, lines, discount_pence }, refunds);
        credits.forEach(({ vat, tip_pence }, n) => {
          expect(vat.reduce((sum, { gross_pence }) => sum + gross_pence, tip_pence)).toBe(refunds[n]?.amount_pence);
          for (const { net_pence, vat_pence } of vat) expect(Math.min(net_pence, vat_pence, tip_pence)).toBeGreaterThanOrEqual(0);
        });
        for (const { rate_bps, ...sums } of invoice) {
          const credited = credits.flatMap(({ vat }) => vat.filter((one) => one.rate_bps === rate_bps));
          const total = (key: keyof typeof sums) => credited.reduce((sum, one) => sum + one[key], 0);
          expect([total('net_pence'), total('vat_pence'), total('gross_pence')]).toEqual([
            sums.net_pence,
            sums.vat_pence,
            sums.gross_pence,
          ]);
        }
        expect(credits.reduce((sum, { tip_pence }) => sum + tip_pence, 0)).toBe(tip);
      }),
    );
  });
});
