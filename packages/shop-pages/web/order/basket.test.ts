import { describe, expect, test } from '@jest/globals';
import {
  addLine,
  addOrdered,
  type BasketLine,
  checkLines,
  emptyBasket,
  lineKey,
  type MenuItem,
  replaceLine,
  setQuantity,
  subtotalOf,
  tableOf,
} from './basket.ts';
import { openingAt } from './opening.ts';
import { orderBody, percentOf, readAmount, withTip } from './total.ts';

const line: BasketLine = { menu_item_id: 'latte', name: 'Latte', quantity: 1, choices: [], note: '' };
const milk = (id: string, price_pence: number, sold_out = false) => ({ id, name: id, price_pence, allergens: null, sold_out });
const latte: MenuItem = {
  id: 'latte',
  name: 'Latte',
  price_pence: 320,
  prep_minutes: 3,
  sold_out: false,
  category: null,
  description: null,
  image_url: null,
  allergens: null,
  diet: [],
  options: [{ id: 'milk', name: 'Milk', min: 0, max: 1, choices: [milk('oat', 40), milk('soya', 30, true)] }],
};
const basketOf = (...lines: BasketLine[]) => ({ ...emptyBasket, lines });
const store = { id: 's', code: 'S1', takes_orders: 'now' } as const;

describe('lines', () => {
  test('equal ones are one line; another choice or note is another line', () => {
    const added = [line, line, { ...line, choices: ['oat'] }, { ...line, note: ' no sugar ' }, { ...line, note: 'no sugar', quantity: 2 }];
    const { lines } = added.reduce(addLine, emptyBasket);
    expect(lines.map(({ quantity, choices, note }) => [quantity, choices, note])).toEqual([
      [2, [], ''],
      [1, ['oat'], ''],
      [3, [], 'no sugar'],
    ]);
  });

  test('the order of choices makes no other line, and a line has 99 at most', () => {
    const { lines } = [
      { ...line, choices: ['b', 'a'], quantity: 60 },
      { ...line, choices: ['a', 'b'], quantity: 60 },
    ].reduce(addLine, emptyBasket);
    expect(lines).toEqual([{ ...line, choices: ['a', 'b'], quantity: 99 }]);
  });

  test('a changed line stays where it is, and becomes one with a line that is equal', () => {
    const oat = { ...line, choices: ['oat'] };
    const changed = replaceLine(basketOf(line, oat), lineKey(line), { ...line, note: ' hot ', quantity: 3 });
    expect(changed.lines).toEqual([{ ...line, note: 'hot', quantity: 3 }, oat]);
    expect(replaceLine(basketOf(line, oat), lineKey(line), { ...oat, quantity: 2 }).lines).toEqual([{ ...oat, quantity: 3 }]);
    expect(replaceLine(basketOf(line), lineKey(line), { ...line, quantity: 4 }).lines).toEqual([{ ...line, quantity: 4 }]);
  });

  test('a quantity of 0 removes a line', () => {
    expect(setQuantity(basketOf(line), lineKey(line), 0).lines).toEqual([]);
  });
});

describe('against the menu of now', () => {
  const problem = (of: Partial<BasketLine>, menu: readonly MenuItem[]) => checkLines(basketOf({ ...line, ...of }), menu)[0]?.problem;

  test('the lines of an order are added with their choices and notes; those that cannot be ordered now are named, each once', () => {
    const ordered = { ...line, position: 1, choices: [], note: null };
    const again = [
      { ...ordered, quantity: 2, choices: [{ choice_id: 'oat' }], note: 'hot' },
      { ...ordered, choices: [{ choice_id: 'soya' }] },
      { ...ordered, menu_item_id: 'scone', name: 'Scone' },
      { ...ordered, menu_item_id: 'scone', name: 'Scone', note: 'warm' },
    ];
    const { basket, missing } = addOrdered(basketOf({ ...line, choices: ['oat'], note: 'hot' }), again, [latte]);
    expect(basket.lines).toEqual([{ ...line, quantity: 3, choices: ['oat'], note: 'hot' }]);
    expect(missing).toEqual(['Latte', 'Scone']);
  });

  test('a line has the price of the menu, with its choices', () => {
    const lines = checkLines(basketOf({ ...line, choices: ['oat'], quantity: 2 }), [latte]);
    expect([lines[0]?.unitPence, subtotalOf(lines)]).toEqual([360, 720]);
  });

  test('what left the menu, is sold out or can no longer be chosen is marked, and counts nothing', () => {
    const needsMilk = { ...latte, options: latte.options.map((option) => ({ ...option, min: 1 })) };
    expect([
      problem({}, []),
      problem({}, [{ ...latte, sold_out: true }]),
      problem({ choices: ['soya'] }, [latte]),
      problem({ choices: ['hemp'] }, [latte]),
      problem({ choices: ['oat', 'soya'] }, [latte]),
      problem({}, [needsMilk]),
      problem({ choices: ['oat'] }, [needsMilk]),
    ]).toEqual(['gone', 'sold out', 'sold out', 'choices', 'choices', 'choices', null]);
    expect(subtotalOf(checkLines(basketOf(line), []))).toBe(0);
  });
});

describe('the order that is placed', () => {
  const at = 1_000_000;
  const body = (basket: Partial<typeof emptyBasket>, of: Partial<{ takes_orders: 'now' | 'scheduled' | 'none' }> = {}) =>
    orderBody({ ...basketOf(line), ...basket }, { store: { ...store, ...of }, shownPence: 320, now: at });

  test('as soon as it is ready, it names the total that was shown', () => {
    expect(body({})).toEqual({
      store_code: 'S1',
      store_id: 's',
      items: [{ menu_item_id: 'latte', quantity: 1 }],
      order_type: 'collect',
      collection_mode: 'now',
      expected_total_pence: 320,
    });
  });

  test('at a store with a pace, it names the time that was shown', () => {
    const shown = { store, shownPence: 320, readyFrom: '2026-05-01T12:30:00Z', now: at };
    expect(orderBody(basketOf(line), shown).expected_ready_from).toBe('2026-05-01T12:30:00Z');
    expect(body({})).not.toHaveProperty('expected_ready_from');
  });

  test('at a table it is brought there, unless the table was scanned hours ago or orders are for later', () => {
    const basket = { table: '7', table_at: at, slot_id: 'slot' };
    expect(body(basket)).toMatchObject({ fulfilment: { mode: 'table', table_number: '7' }, order_type: 'buy_now' });
    expect(body(basket, { takes_orders: 'scheduled' })).toMatchObject({ slot_id: 'slot', collection_mode: 'scheduled' });
    expect(tableOf({ ...basketOf(), table: '7', table_at: at }, at + 5 * 3_600_000)).toBeNull();
  });

  test('tip, code and voucher are named where there are any', () => {
    expect(body({ tip_pence: 50, promo_code: ' HELLO ', voucher_id: 'v' })).toMatchObject({
      tip_pence: 50,
      promo_code: 'HELLO',
      voucher_id: 'v',
    });
    expect(Object.keys(body({}))).not.toContain('voucher_id');
  });
});

test('a tip of ten percent stays ten percent when the basket changes, and an amount stays an amount', () => {
  const tipped = { ...basketOf(line), tip_percent: 10, tip_pence: 32 };
  expect([withTip(tipped, 640, 'GBP').tip_pence, withTip({ ...tipped, tip_percent: null }, 640, 'GBP').tip_pence]).toEqual([64, 32]);
});

test('a tip is a whole number of what the currency can charge', () => {
  expect([percentOf(690, 10, 'GBP'), percentOf(690, 10, 'JPY'), percentOf(12_345, 10, 'KWD')]).toEqual([69, 69, 1230]);
  expect(['1.50', '1,5', '2', '', '1.2.3', '-1', 'a'].map((text) => readAmount(text, 'GBP'))).toEqual([
    150,
    150,
    200,
    null,
    null,
    null,
    null,
  ]);
  expect([readAmount('150', 'JPY'), readAmount('1.234', 'KWD'), readAmount('600', 'GBP')]).toEqual([150, null, null]);
});

test('a store is open until its closing, closed until its next opening, and an open end within a day is not named', () => {
  const opening = { starts_at: '2026-05-01T08:00:00Z', ends_at: '2026-05-01T17:00:00Z' };
  const at = (time: string, openings = [opening]) => openingAt({ openings }, Date.parse(`2026-05-01T${time}:00Z`));
  expect(at('16:59')).toEqual({ open: true, until: opening.ends_at });
  expect(at('17:00')).toEqual({ open: false, from: null });
  expect(at('07:00')).toEqual({ open: false, from: opening.starts_at });
  expect(at('12:00', [{ ...opening, ends_at: '2026-05-08T00:00:00Z' }])).toEqual({ open: true, until: null });
});
