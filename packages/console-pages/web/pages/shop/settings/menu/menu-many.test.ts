import { expect, test } from '@jest/globals';
import type { MenuItem } from '../offer-objects.ts';
import { newItem } from './menu-draft.ts';
import { partsOf, readFact, shownBy, withFact } from './menu-many.ts';

const item = (name: string, category: string | null): MenuItem => ({ ...newItem([], name, 300), category });
const items = [item('Flat white', 'Coffee'), item('Iced latte', 'Coffee'), item('Brownie', null), item('White bread', null)];
const namesBy = (text: string, part: string | null) => items.filter(shownBy({ text, part }) ?? (() => true)).map(({ name }) => name);

test('items are found by their name and their part', () => {
  expect(partsOf(items)).toEqual(['Coffee', '']);
  expect(shownBy({ text: ' ', part: null })).toBeUndefined();
  expect(namesBy('white', null)).toEqual(['Flat white', 'White bread']);
  expect(namesBy('', '')).toEqual(['Brownie', 'White bread']);
  expect(namesBy('WHITE', 'Coffee')).toEqual(['Flat white']);
});

test('part, VAT and allergens are read as in a pasted table', () => {
  expect([readFact('category', ' Cakes '), readFact('category', '')]).toEqual([{ value: 'Cakes' }, { value: null }]);
  expect([readFact('vat_rate_bps', '5.5 %'), readFact('vat_rate_bps', '')]).toEqual([{ value: 550 }, { value: null }]);
  expect([readFact('allergens', 'milk'), readFact('allergens', 'none'), readFact('allergens', '')]).toEqual([
    { value: ['milk'] },
    { value: [] },
    { value: null },
  ]);
  expect([readFact('vat_rate_bps', 'high'), readFact('allergens', 'sugar')]).toEqual([
    { fault: '“high” is not a rate of VAT such as 20.' },
    { fault: expect.stringMatching(/^“sugar” is none of the fourteen/) },
  ]);
});

test('a fact is set for the items that are shown, and the others stay as they are', () => {
  const after = withFact(items, ({ category }) => category === 'Coffee', 'allergens', ['milk']);
  expect(after.map(({ allergens }) => allergens)).toEqual([['milk'], ['milk'], null, null]);
  expect(after.slice(2)).toEqual(items.slice(2));
});
