import { splitDiscounts } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RequestedLine } from '../checkout/rules/basket.ts';
import { type MenuItem, priceLines, subtotalOf } from '../checkout/rules/lines.ts';
import type { VatByPlace } from '../checkout/rules/vat.ts';
import type { StoredRefund } from '../refunds/rules/amounts.ts';
import { priceRefundedLines } from '../refunds/rules/lines.ts';
import { sumDay } from '../reports/rules/sum-day.ts';
import { creditsOf, sumVat } from './rules.ts';

const rate = fc.constantFrom(0, 250, 500, 700, 1_000, 1_900, 2_000);
const vat: fc.Arbitrary<VatByPlace | undefined> = fc.option(
  fc.uniqueArray(fc.record({ when: fc.constantFrom('eat_in', 'away'), rate_bps: rate }), { maxLength: 2, selector: ({ when }) => when }),
  { nil: undefined },
);
const choice = fc.record({ price_pence: fc.nat({ max: 300 }), vat });
const item = fc.record({
  price_pence: fc.nat({ max: 2_000 }),
  vat_rate_bps: fc.option(rate),
  vat,
  choices: fc.array(choice, { maxLength: 3 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  leg: fc.boolean(),
});

function basketOf(items: readonly (typeof item extends fc.Arbitrary<infer T> ? T : never)[]) {
  const menu = items.map(
    ({ price_pence, vat_rate_bps, vat: ofItem, choices }, n): MenuItem => ({
      id: `i${n}`,
      kind: 'item',
      name: `i${n}`,
      price_pence,
      vat_rate_bps,
      vat: ofItem,
      prep_minutes: 0,
      available: true,
      stock: null,
      options:
        choices.length === 0
          ? []
          : [
              {
                name: 'With',
                min: 0,
                max: 9,
                choices: choices.map((one, c) => ({ id: `i${n}c${c}`, name: `c${c}`, available: true, ...one })),
              },
            ],
    }),
  );
  const lines = items.map(
    ({ quantity, choices }, n): RequestedLine => ({
      menu_item_id: `i${n}`,
      quantity,
      choices: choices.map((_, c) => `i${n}c${c}`),
      note: null,
    }),
  );
  return { menu, lines };
}

test('lines, legs, refunds by line and the report of the day agree to the penny, whatever rates items and choices have, eaten in or taken away', () => {
  const mix = fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
    eatIn: fc.boolean(),
    discount: fc.double({ min: 0, max: 0.9, noNaN: true }),
    order: fc.infiniteStream(fc.nat()),
    tip: fc.nat({ max: 300 }),
  });
  fc.assert(
    fc.property(mix, ({ items, eatIn, discount, order, tip }) => {
      const { menu, lines } = basketOf(items);
      const ofPart = (leg: boolean) => lines.filter((_, n) => items[n]?.leg === leg);
      const parts = [
        { id: 'main', lines: priceLines(ofPart(false), menu, 'GBP', eatIn) },
        { id: 'leg', lines: priceLines(ofPart(true), menu, 'GBP', false) },
      ];
      for (const { unit_price_pence, vat_parts } of parts.flatMap((part) => part.lines))
        if (vat_parts) expect(vat_parts.reduce((sum, { unit_pence }) => sum + unit_pence, 0)).toBe(unit_price_pence);

      const subtotals = parts.map((part) => subtotalOf(part.lines));
      const subtotal = subtotals.reduce((a, b) => a + b, 0);
      const promoPence = Math.floor(subtotal * discount);
      const discounts = splitDiscounts(subtotals, { voucherPence: 0, promoPence }, 'GBP');
      const total = subtotal - promoPence + tip;
      const sold = parts.flatMap(({ id, lines: own }) => own.map((line) => ({ ...line, order_id: id })));
      const invoice = sumVat(sold, promoPence);
      expect(invoice.reduce((sum, { gross_pence }) => sum + gross_pence, 0)).toBe(total - tip);
      if (total - tip === 0) return;

      // Each unit is refunded by line, in any order, as the operation prices it; then the rest, with the tip.
      const family = parts.map(({ id, lines: own }, n) => ({
        id,
        currency: 'GBP',
        voucher_discount_pence: 0,
        total_pence: total,
        promo_discount_pence: id === 'main' ? promoPence : (discounts[n]?.promoPence ?? 0),
        lines: own.map((line, position) => ({ ...line, choices: [], position: position + 1 })),
      }));
      const [main, leg] = family as [(typeof family)[0], (typeof family)[0]];
      const units = family.flatMap((part) => part.lines.flatMap((line) => Array.from({ length: line.quantity }, () => ({ part, line }))));
      const made: StoredRefund[] = [];
      let left = total;
      const next = order[Symbol.iterator]();
      const refunds = [];
      while (units.length > 0) {
        const [unit] = units.splice(Number(next.next().value) % units.length, 1);
        if (!unit) break;
        const requested = [{ position: unit.line.position, quantity: 1, restock: false }];
        const priced = priceRefundedLines({ main, legs: [leg], named: unit.part }, made, requested);
        const amount_pence = priced[0]?.amount_pence ?? 0;
        left -= amount_pence;
        made.push({
          id: `${made.length}`,
          order_id: unit.part.id,
          attempt: '',
          amount_pence,
          status: 'succeeded',
          provider_refund_id: '',
          counted: true,
          borne_by: 'store',
          reversed_pence: 0,
          lines: priced,
        });
        const { vat_rate_bps, vat_parts } = unit.line;
        refunds.push({ order_id: unit.part.id, amount_pence, lines: [{ vat_rate_bps, vat_parts, sum_pence: amount_pence }] });
      }
      expect(left).toBe(tip);
      refunds.push({ order_id: 'main', amount_pence: left, lines: [] });
      const dated = refunds.map((refund, n) => ({
        ...refund,
        accepted_at: new Date(Date.UTC(2026, 4, 1) + n * 1_000).toISOString(),
        failed_at: null,
        accepted_day: '2026-05-01',
        failed_day: null,
      }));

      const credits = creditsOf({ id: 'main', lines: sold, discount_pence: promoPence }, dated);
      credits.forEach(({ vat: of, tip_pence }, n) => {
        expect(of.reduce((sum, { gross_pence }) => sum + gross_pence, tip_pence)).toBe(dated[n]?.amount_pence);
        for (const { net_pence, vat_pence } of of) expect(Math.min(net_pence, vat_pence)).toBeGreaterThanOrEqual(0);
      });
      for (const { rate_bps, vat_pence, gross_pence } of invoice) {
        const credited = credits.flatMap(({ vat: of }) => of.filter((one) => one.rate_bps === rate_bps));
        expect(credited.reduce((sum, one) => sum + one.vat_pence, 0)).toBe(vat_pence);
        expect(credited.reduce((sum, one) => sum + one.gross_pence, 0)).toBe(gross_pence);
      }

      const day = '2026-05-01';
      const order_ = { day, at: `${day}T00:00:00Z`, order_id: 'main', order_number: 'A-1', state: 'open' as const };
      const sums = { subtotal_pence: subtotal, promo_pence: promoPence, voucher_pence: 0, with_voucher: false, tip_pence: tip };
      const rows = { ledger: [], sold: [{ ...order_, ...sums, lines: sold }], credited: [] };
      expect(sumDay(day, rows).figures.vat).toEqual(invoice);
      const credited = [{ id: 'main', order_number: 'A-1', discount_pence: promoPence, lines: sold, refunds: dated }];
      for (const { net_pence, vat_pence, gross_pence } of sumDay(day, { ...rows, credited }).figures.vat)
        expect([net_pence, vat_pence, gross_pence].map((pence) => pence + 0)).toEqual([0, 0, 0]);
    }),
  );
});
