import { expect, test } from '@jest/globals';
import type { MenuItem } from '../offer-objects.ts';
import { newItem } from './menu-draft.ts';
import { itemsToCopyFrom, newChoice, newOption, takesText, withChoice, withCopied } from './menu-options.ts';

const oat = { id: 'oat-milk', name: 'Oat milk', price_pence: 40, allergens: ['gluten' as const], available: false };
const milk = { id: 'option', name: 'Milk', min: 0, max: 1, choices: [oat] };
const latte: MenuItem = { ...newItem([], 'Latte', 360), options: [milk] };
const mocha: MenuItem = { ...newItem([], 'Mocha', 380), options: [{ ...milk, choices: [{ ...oat, price_pence: 50 }] }] };
const tea = newItem([], 'Tea', 250);

test('a choice of a name that the menu has is the same thing, and any other has an id that nothing else has', () => {
  const items = [latte, tea];
  expect(newChoice(items, 'oat milk')).toEqual({ ...oat, available: true });
  expect(newChoice(items, ' Tea ')).toEqual({ id: 'tea-2', name: 'Tea', price_pence: 0, allergens: null, available: true });
});

test('the name and the allergens of a choice change in every option that has it, and its price in none', () => {
  const choices = withChoice([latte, mocha, tea], 'oat-milk', { name: 'Oat' }).flatMap(({ options }) =>
    options.flatMap((each) => each.choices),
  );
  expect(choices.map(({ name, price_pence }) => [name, price_pence])).toEqual([
    ['Oat', 40],
    ['Oat', 50],
  ]);
});

test('an item gets the options of another one, and keeps those that it has by their name', () => {
  expect(itemsToCopyFrom([latte, mocha, tea], mocha).map(({ id }) => id)).toEqual(['latte']);
  const size = { ...newOption([]), name: 'Size' };
  expect(withCopied([size], [milk, { ...size, max: 2 }])).toEqual([size, { ...milk, id: 'option-2' }]);
});

test('an option says how many choices it takes', () => {
  expect([milk, { ...milk, min: 1 }, { ...milk, min: 1, max: 3 }].map(takesText)).toEqual(['takes up to 1', 'takes 1', 'takes 1 to 3']);
});
