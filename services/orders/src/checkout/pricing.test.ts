import { isWholeSteps, rulesOfCurrency, splitByWeight } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { type Draw, randomly } from '../testing/run-concurrently.ts';
import { mergeLines } from './rules/basket.ts';
import type { CheckedPart } from './rules/check-basket.ts';
import { type PricedLine, prepMinutesOf, priceLines, subtotalOf } from './rules/lines.ts';
import { type Discounts, type Promo, percentOf, priceBasket, priceOrder, type Reward, voucherPence } from './rules/pricing.ts';

const now = new Date('2026-05-01T12:00:00Z');
const line = (id: string, unit_price_pence: number, quantity = 1): PricedLine => ({
  menu_item_id: id,
  name: id,
  quantity,
  unit_price_pence,
  vat_rate_bps: null,
  vat_parts: null,
  choices: null,
  note: null,
});

const requested = (menu_item_id: string, quantity = 1, choices: string[] = []) => ({ menu_item_id, quantity, choices, note: null });

const item = (id: string, price_pence: number, prep_minutes = 0, available = true) => ({
  id,
  kind: 'item' as const,
  options: [],
  name: id,
  price_pence,
  vat_rate_bps: null,
  prep_minutes,
  available,
  stock: null,
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test.each([
  [9, 'GBP', 5, 0],
  [10, 'GBP', 5, 1],
  [90, 'GBP', 5, 5],
  [89, 'GBP', 5, 4],
  [435, 'GBP', 50, 218],
  [290, 'GBP', 33, 96],
  [640, 'GBP', 100, 640],
  [0, 'GBP', 50, 0],
  [99_999_999, 'GBP', 99, 98_999_999],
  [435, 'JPY', 50, 218],
  [1_050, 'KWD', 10, 110],
  [1_040, 'KWD', 10, 100],
  [50_000, 'ISK', 33, 16_500],
  [14_900, 'ISK', 50, 7_500],
])('of %i minor units of %s, %i percent is %i', (pence, currency, percent, part) => {
  expect(percentOf(pence, percent, currency)).toBe(part);
});

test('lines of the same item, choices and note are merged at their first occurrence', () => {
  const lines = [
    { menu_item_id: 'b', quantity: 2, choices: ['large', 'oat'] },
    { menu_item_id: 'a', quantity: 1 },
    { menu_item_id: 'b', quantity: 3, choices: ['oat', 'large'], note: '' },
    { menu_item_id: 'b', quantity: 1, choices: ['oat'] },
    { menu_item_id: 'a', quantity: 1, note: 'hot' },
  ];
  expect(mergeLines(lines)).toEqual([
    { menu_item_id: 'b', quantity: 5, choices: ['large', 'oat'], note: null },
    { menu_item_id: 'a', quantity: 1, choices: [], note: null },
    { menu_item_id: 'b', quantity: 1, choices: ['oat'], note: null },
    { menu_item_id: 'a', quantity: 1, choices: [], note: 'hot' },
  ]);
});

test('prices come from the menu, and the slowest line sets the preparation time', () => {
  const menu = [item('a', 350, 5), item('b', 10, 9), item('gone', 1, 60, false)];
  const wanted = [requested('a', 2)];
  expect(priceLines(wanted, menu, 'GBP')).toEqual([line('a', 350, 2)]);
  expect(prepMinutesOf(wanted, menu)).toBe(5);
  for (const id of ['gone', 'unheard-of'])
    expect(() => priceLines([requested(id)], menu, 'GBP')).toThrow(`items: ${id} is not on the menu.`);
});

test('an item cannot be ordered at a price that its currency cannot be charged', () => {
  const wanted = [requested('dates', 2)];
  expect(priceLines(wanted, [item('dates', 1_250)], 'KWD')).toEqual([line('dates', 1_250, 2)]);
  expect(() => priceLines(wanted, [item('dates', 1_255)], 'KWD')).toThrow(
    'items: dates cannot be ordered, because no card can be charged KWD\u00a01.255.',
  );
});

test('a voucher for an item takes off the item, and none of its choices', () => {
  const choices = [{ option: 'Milk', choice_id: 'oat', name: 'Oat milk', price_pence: 40 }];
  const lines = [{ ...line('a', 390, 2), choices }];
  expect(voucherPence({ value_kind: 'item', value: 1, item_id: 'a' }, lines, 'GBP')).toBe(350);
});

describe('a voucher', () => {
  const lines = [line('a', 350, 2), line('b', 5)];
  test.each([
    ['amount', 200, null, 200],
    ['amount', 9_999, null, 705],
    ['percent', 10, null, 71],
    ['percent', 100, null, 705],
    ['item', 1, 'a', 350],
  ] as const)('of kind %s with value %i, for item %s, takes %i pence off', (value_kind, value, item_id, pence) => {
    expect(voucherPence({ value_kind, value, item_id }, lines, 'GBP')).toBe(pence);
  });
  test.each([
    ['item', 1, 'c'],
    ['percent', 0, null],
    ['amount', 0, null],
  ] as const)('of kind %s with value %i, for item %s, is refused because it takes nothing off', (value_kind, value, item_id) => {
    expect(codeOf(() => voucherPence({ value_kind, value, item_id }, lines, 'GBP'))).toBe('VOUCHER_NOT_APPLICABLE');
  });
});

test.each([
  [0, 'GBP', 'none'],
  [1, 'GBP', 'AMOUNT_BELOW_MINIMUM'],
  [29, 'GBP', 'AMOUNT_BELOW_MINIMUM'],
  [30, 'GBP', 'none'],
  [40, 'USD', 'AMOUNT_BELOW_MINIMUM'],
  [50, 'USD', 'none'],
  [49, 'JPY', 'AMOUNT_BELOW_MINIMUM'],
  [17_499, 'HUF', 'AMOUNT_BELOW_MINIMUM'],
  [10, 'KWD', 'none'],
  [99_999_999, 'GBP', 'none'],
  [100_000_000, 'GBP', 'VALIDATION_FAILED'],
  [100_000_000, 'IDR', 'none'],
])('a total of %i minor units of %s is refused with this problem: %s', (pence, currency, code) => {
  expect(codeOf(() => priceOrder(pence, { currency, tipPence: 0, feeBps: 500, voucherPence: 0, promoPence: 0 }))).toBe(code);
});

test.each([
  [50, 'KWD', 'none'],
  [55, 'KWD', 'VALIDATION_FAILED'],
  [100, 'ISK', 'none'],
  [50, 'ISK', 'VALIDATION_FAILED'],
  [1, 'JPY', 'none'],
])('a tip of %i minor units of %s is refused with this problem: %s', (tipPence, currency, code) => {
  expect(codeOf(() => priceOrder(50_000, { currency, tipPence, feeBps: 0, voucherPence: 0, promoPence: 0 }))).toBe(code);
});

test.each([
  [50_000, 640, 'none'],
  [50_010, 640, 'VALIDATION_FAILED'],
  [500_000, 500_000, 'none'],
  [500_010, 500_000, 'VALIDATION_FAILED'],
])('a tip of %i minor units of forint for goods of %i is refused with this problem: %s', (tipPence, subtotal, code) => {
  expect(codeOf(() => priceOrder(subtotal, { currency: 'HUF', tipPence, feeBps: 0, voucherPence: 0, promoPence: 0 }))).toBe(code);
});

test('the application fee is taken from the discounted goods, half a penny rounded up, never from the tip', () => {
  const terms = { currency: 'GBP', feeBps: 500, voucherPence: 100, promoPence: 50 };
  expect(priceOrder(640, { ...terms, tipPence: 0 }).feePence).toBe(25);
  expect(priceOrder(640, { ...terms, tipPence: 50_000 })).toMatchObject({ feePence: 25, totalPence: 50_490 });
});

const part = (lines: PricedLine[]): CheckedPart => ({
  orderType: 'collect',
  collectionMode: 'now',
  slotId: null,
  collectAt: null,
  lines,
  prepMinutes: 0,
  slot: null,
});

function anyDiscounts(draw: Draw, step: number): Discounts {
  const kinds = ['amount', 'percent', 'item'] as const;
  const value_kind = kinds[draw(0, 2)] ?? 'amount';
  const reward: Reward = {
    value_kind,
    value: value_kind === 'percent' ? draw(1, 100) : draw(1, 3_000 * step),
    item_id: `item-${draw(0, 5)}`,
  };
  const kind = draw(0, 1) ? 'percent' : 'amount';
  const value = kind === 'percent' ? draw(1, 100) : draw(1, 3_000 * step);
  const found: Promo = {
    id: 'p',
    code: 'P',
    label: null,
    kind,
    value,
    min_subtotal_pence: 0,
    starts_at: null,
    ends_at: null,
    first_order_only: false,
  };
  return { reward: draw(0, 2) ? reward : null, promo: draw(0, 2) ? { found, isFirstOrder: true } : null };
}

test.each(['GBP', 'JPY', 'KWD', 'ISK'])(
  'for random baskets and discounts in %s the parts sum to the whole, and each can be charged',
  (currency) => {
    const { step, minimum } = rulesOfCurrency(currency);
    let priced = 0;
    for (const draw of randomly(2_000)) {
      const prices = Array.from({ length: 6 }, () => (draw(0, 5) === 0 ? 0 : draw(1, 1_500) * step));
      const some = (least: number) =>
        Array.from({ length: draw(least, 4) }, () => draw(0, 5)).map((n) => line(`item-${n}`, prices[n] ?? 0, draw(1, 9)));
      const parts = [part(some(0)), ...Array.from({ length: draw(0, 5) }, () => part(some(1)))] as [CheckedPart, ...CheckedPart[]];
      const discounts = anyDiscounts(draw, step);
      const tipPence = draw(0, 1) ? draw(0, Math.floor(50_000 / step)) * step : 0;
      const subtotals = parts.map(({ lines }) => subtotalOf(lines));
      const price = (() => {
        try {
          return priceBasket(parts, discounts, { currency, tipPence, feeBps: draw(0, 3_000), now });
        } catch (error) {
          expect(['AMOUNT_BELOW_MINIMUM', 'VOUCHER_NOT_APPLICABLE', 'PROMO_NOT_APPLICABLE']).toContain((error as { code: string }).code);
          return null;
        }
      })();
      if (!price) continue;
      priced += 1;
      const { main, legs } = price;
      expect(main.totalPence === 0 || main.totalPence >= minimum).toBe(true);
      expect([main, ...legs].flatMap((price) => Object.values(price)).filter((pence) => !isWholeSteps(pence, currency))).toEqual([]);
      const cut = main.voucherDiscountPence + main.promoDiscountPence;
      expect(main.subtotalPence).toBe(subtotals.reduce((a, b) => a + b, 0));
      expect(main.totalPence).toBe(main.subtotalPence - cut + tipPence);
      expect(main.feePence).toBeLessThanOrEqual(main.totalPence - tipPence);
      expect(main.feePence).toBeGreaterThanOrEqual(0);
      const rest = { total: main.totalPence, voucher: main.voucherDiscountPence, promo: main.promoDiscountPence };
      legs.forEach((leg, n) => {
        expect(leg.subtotalPence).toBe(subtotals[n + 1]);
        expect(leg.totalPence).toBe(leg.subtotalPence - leg.voucherDiscountPence - leg.promoDiscountPence);
        for (const pence of Object.values(leg)) expect(pence).toBeGreaterThanOrEqual(0);
        rest.total -= leg.totalPence;
        rest.voucher -= leg.voucherDiscountPence;
        rest.promo -= leg.promoDiscountPence;
      });
      // The rest is the order's own part: its lines less their share of the discounts, plus the tip.
      expect(rest.total).toBe((subtotals[0] ?? 0) - rest.voucher - rest.promo + tipPence);
      expect(rest.total).toBeGreaterThanOrEqual(tipPence);
      for (const pence of Object.values(rest)) expect(pence).toBeGreaterThanOrEqual(0);
    }
    expect(priced).toBeGreaterThan(1_000);
  },
);

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
