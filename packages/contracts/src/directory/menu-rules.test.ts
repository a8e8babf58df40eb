import { expect, test } from '@jest/globals';
import { MenuSnapshot } from './menu-snapshots.ts';

const oat = { id: 'oat', name: 'Oat milk', allergens: ['gluten'] };
const milk = { id: 'milk', name: 'Milk', choices: [oat, { id: 'whole', name: 'Whole milk', allergens: ['milk'] }] };
const latte = { id: 'latte', name: 'Latte', price_pence: 340, allergens: [], options: [milk] };

const faultsOf = (...items: readonly object[]): string[] =>
  (MenuSnapshot.safeParse({ version: 1, store_id: '0190a000-0000-7000-8000-000000000001', items }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
const withOption = (change: object) => ({ ...latte, options: [{ ...milk, ...change }] });

test('a menu whose choices are the same thing in every item is accepted, whatever they cost there', () => {
  const dearer = { ...milk, choices: [{ ...oat, price_pence: 60, available: false }] };
  expect(faultsOf(latte, { ...latte, id: 'mocha', options: [dearer] })).toEqual([]);
});

test.each([
  [
    'items.1.options.0.choices.0.name: is Oat milk in another option',
    [latte, { ...withOption({ choices: [{ ...oat, name: 'Oat' }] }), id: 'mocha' }],
  ],
  [
    'items.1.options.0.choices.0.allergens: are others',
    [latte, { ...withOption({ choices: [{ ...oat, allergens: null }] }), id: 'mocha' }],
  ],
  ['items.0.options.0.choices.0.id: is the id of an item', [latte, { id: 'oat', name: 'Oats', price_pence: 100 }]],
  ['items.0.options.0.min: must not be more than max', [withOption({ min: 2 })]],
  ['items.0.options.0.max: must not be more than the 2 choices', [withOption({ max: 3 })]],
  ['items.0.options.1.id: is the id of another option', [{ ...latte, options: [milk, { ...milk, choices: [{ id: 'x', name: 'X' }] }] }]],
  ['items.0.options.0.choices: oat is there twice', [withOption({ choices: [oat, oat] })]],
  ['items.0.diet: an item with milk is not vegan', [{ ...latte, allergens: ['milk'], diet: ['vegan'] }]],
  ['items.0.diet: an item with fish is not vegetarian', [{ ...latte, allergens: ['fish'], diet: ['vegetarian'] }]],
  ['items.0.diet: an item with gluten is not gluten free', [{ ...latte, allergens: ['gluten'], diet: ['gluten_free'] }]],
])('a menu that contradicts itself is refused: %s', (fault, items) => {
  expect(faultsOf(...items).join('\n')).toContain(fault);
});

test('an item may hold milk and be free of lactose, and one of which nothing is said may be fit for anything', () => {
  expect(
    faultsOf({ ...latte, allergens: ['milk'], diet: ['lactose_free'] }, { id: 'tea', name: 'Tea', price_pence: 200, diet: ['vegan'] }),
  ).toEqual([]);
});
