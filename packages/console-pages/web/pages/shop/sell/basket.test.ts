import { expect, test } from '@jest/globals';
import {
  asksPlace,
  cashFor,
  counted,
  groupsOf,
  inWords,
  itemsOf,
  lineOf,
  missing,
  repriced,
  toggled,
  totalOf,
  withLine,
} from './basket.ts';
import { croissant, flatWhite, water } from './items-for-tests.ts';

test('lines of one item with the same choices are one, in whatever order they were chosen', () => {
  const [oat, again, cow] = [['oat', 'shot'], ['shot', 'oat'], ['cow']].map((chosen) => lineOf(flatWhite, chosen));
  const lines = [oat, again, cow].reduce(
    (before: readonly ReturnType<typeof lineOf>[], line) => (line ? withLine(before, line) : before),
    [],
  );
  expect(lines.map(({ name, quantity, pence }) => [name, quantity, pence])).toEqual([
    ['Flat white (Oat, Shot)', 2, 440],
    ['Flat white (Cow)', 1, 320],
  ]);
  expect(totalOf(lines)).toBe(1_200);
  expect(inWords(lines)).toBe('2 Flat white (Oat, Shot), Flat white (Cow)');
  expect(itemsOf(lines)[0]).toEqual({ menu_item_id: 'flat-white', quantity: 2, choices: ['oat', 'shot'] });
  expect(counted(counted(lines, 1, -1), 0, -1)).toMatchObject([{ quantity: 1 }]);
});

test('of an option that takes one, a choice replaces the one before; of one that is full, the oldest gives way', () => {
  expect(toggled(flatWhite, ['cow'], 'oat')).toEqual(['oat']);
  expect(toggled(flatWhite, ['oat'], 'oat')).toEqual([]);
  expect(toggled(flatWhite, ['oat', 'shot', 'syrup'], 'cream')).toEqual(['oat', 'syrup', 'cream']);
  expect(toggled(flatWhite, ['oat'], 'unknown')).toEqual(['oat']);
  expect([missing(flatWhite, []), missing(flatWhite, ['oat'])]).toEqual(['Milk', null]);
});

test('it must be said where a basket is eaten only when some of it has two rates', () => {
  expect([asksPlace([lineOf(flatWhite, ['oat'])]), asksPlace([lineOf(croissant, [])])]).toEqual([false, true]);
});

test('a menu that was read again changes prices, and a line of what it no longer has stays', () => {
  const lines = [lineOf(flatWhite, ['oat']), lineOf(croissant, [])].map((line) => ({ ...line, quantity: 3 }));
  expect(repriced(lines, [{ ...flatWhite, price_pence: 340 }]).map(({ pence, quantity }) => [pence, quantity])).toEqual([
    [380, 3],
    [290, 3],
  ]);
});

test('the parts of a menu are in its order', () => {
  expect(groupsOf([flatWhite, croissant, water, { ...water, category: 'Coffee' }]).map(([name, items]) => [name, items.length])).toEqual([
    ['Coffee', 2],
    ['Food', 1],
    [null, 1],
  ]);
});

test('cash is offered as it is handed over: the sum, and the next sums of notes', () => {
  expect(cashFor(640, 'GBP')).toEqual([640, 1_000, 2_000, 5_000]);
  expect(cashFor(2_000, 'GBP')).toEqual([2_000, 5_000]);
  expect(cashFor(1_230, 'JPY')).toEqual([1_230, 1_500, 2_000, 5_000]);
});
