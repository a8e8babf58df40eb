import { expect, test } from '@jest/globals';
import { menuEntriesOf, parsePastedMenu } from '../../../../logic/pasted-menu.ts';
import { type Menu, type MenuItem, menuObject } from '../offer-objects.ts';
import { countPasted, itemFacts, newItem, tableOf, usualVat, withPasted } from './menu-draft.ts';

const item = (id: string, name: string, fields: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name,
  price_pence: 300,
  prep_minutes: 5,
  stock: null,
  available: true,
  vat_rate_bps: 2_000,
  category: null,
  description: null,
  image_url: null,
  allergens: null,
  diet: [],
  options: [],
  ...fields,
});
const items = [
  item('flat-white', 'Flat white'),
  item('cake', 'Cake, "the best"', { vat_rate_bps: null, stock: 4, category: 'Cakes, mostly', allergens: ['eggs', 'milk'] }),
  item('tea', 'Tea', { allergens: [] }),
];
const pasted = (text: string) => menuEntriesOf(parsePastedMenu(text, 'GBP').items, items);

test('a pasted menu changes the items with its names and adds the others, which get the VAT that most items have', () => {
  const entries = pasted('Flat white 3.40\nTea 3.00\nScone 2.80');
  expect(countPasted(items, entries)).toEqual({ added: 1, changed: 1 });
  const after = withPasted(items, entries);
  expect(after.map(({ id, price_pence }) => `${id} ${price_pence}`)).toEqual(['flat-white 340', 'cake 300', 'tea 300', 'scone 280']);
  expect(after[3]).toEqual(item('scone', 'Scone', { price_pence: 280 }));
  expect([
    usualVat([]),
    usualVat([item('a', 'A', { vat_rate_bps: null }), item('b', 'B', { vat_rate_bps: null }), item('c', 'C')]),
  ]).toEqual([null, null]);
});

test('a menu that is copied as a table and pasted again changes nothing', () => {
  const table = tableOf(items, 'GBP');
  expect(table.split('\n')[2]).toMatch(/\t"Cakes, mostly"\t"eggs, milk"$/);
  const entries = pasted(table);
  expect([entries.length, countPasted(items, entries), withPasted(items, entries)]).toEqual([3, { added: 0, changed: 0 }, items]);
});

test('a price and a new order are saved without the fields that stay', () => {
  const menu = (all: MenuItem[]): Menu => ({ store_id: 's', items: all, promos: [] });
  const [white, cake, tea] = items as [MenuItem, MenuItem, MenuItem];
  const scone = newItem(items, 'Scone', 280);
  const change = menuObject.changes(menu(items), menu([tea, { ...white, price_pence: 340 }, scone]));
  expect(change).toEqual({
    items: [{ id: 'flat-white', price_pence: 340 }, scone],
    remove: [cake.id],
    order: ['tea', 'flat-white', 'scone'],
  });
  expect(menuObject.changes(menu(items), menu(items))).toEqual({});
});

test('an item says what is set of it', () => {
  const nutty = item('x', 'X', { available: false, vat_rate_bps: 550, category: 'Cakes', allergens: ['nuts', 'milk'] });
  const plain = { ...item('y', 'Y', { allergens: [] }), options: [{ id: 'o', name: 'Size', min: 0, max: 1, choices: [] }] };
  expect([items[0], items[1], nutty, plain].map((each) => itemFacts(each as MenuItem))).toEqual([
    'VAT 20 % · 5 min · allergens not said',
    'Cakes, mostly · no VAT · 4 in stock · 5 min · eggs, milk',
    'off the menu · Cakes · VAT 5.5 % · 5 min · nuts, milk',
    'VAT 20 % · 5 min · no allergens · 1 option',
  ]);
});
