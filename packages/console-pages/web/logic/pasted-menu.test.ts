import { expect, test } from '@jest/globals';
import { entriesOf, idFor, parsePastedMenu, withoutFaults } from './pasted-menu.ts';

/** The items of a pasted text as `name = minor units`, and its faults as `line: sentence`. */
const read = (text: string, currency = 'GBP') => {
  const { items, faults } = parsePastedMenu(text, currency);
  return [...items.map(({ name, price_pence }) => `${name} = ${price_pence}`), ...faults.map(({ line, text: why }) => `${line}: ${why}`)];
};

test('ten lines as people write them are ten items', () => {
  const pasted = `Flat white 3.20
- Espresso £2.40
• Tea, with milk — 2
1. Croissant ........ 2.90
Pain au chocolat\t3.10
"Soup, of the day", 6.50
House beans, 250 g: 11.00
7 Up 1,80
Café crème GBP 3.00
Tap water 0
Cake1.50`;
  expect(read(pasted)).toEqual([
    'Flat white = 320',
    'Espresso = 240',
    'Tea, with milk = 200',
    'Croissant = 290',
    'Pain au chocolat = 310',
    'Soup, of the day = 650',
    'House beans, 250 g = 1100',
    '7 Up = 180',
    'Café crème = 300',
    'Tap water = 0',
    '11: There is no price at its end, such as 3.20.',
  ]);
});

test('a price is read in the currency of the store', () => {
  expect(read('Crêpe 4,50 €\nCake 1.250,00', 'EUR')).toEqual(['Crêpe = 450', 'Cake = 125000']);
  expect(read('Table 1,250.00')).toEqual(['Table = 125000']);
  expect(read('Onigiri ¥180\nBento 980', 'JPY')).toEqual(['Onigiri = 180', 'Bento = 980']);
  expect(read('Mint tea 1.500', 'BHD')).toEqual(['Mint tea = 1500']);
});

test('a line that is no item is named with what it lacks, and the others are read', () => {
  const pasted = `Hot drinks

Flat white 3.20
Latte 3.20 3.80
flat-white 3.40
Mocha 3.205
Scone $3.00
Free coffee 12oz
3 20
${'x'.repeat(121)} 1.00
Cake 1.250`;
  expect(read(pasted)).toEqual([
    'Flat white = 320',
    '1: There is no price at its end, such as 3.20.',
    '4: There are two prices. Write a line for each size.',
    '5: “flat-white” is on line 3 already.',
    '6: “3.205” is not a price in GBP.',
    '7: The prices of the store are in GBP.',
    '8: There is no price at its end, such as 3.20.',
    '9: The name is missing.',
    '10: The name is longer than 120 characters.',
    '11: “1.250” is not a price in GBP.',
  ]);
  expect(read(withoutFaults(pasted, parsePastedMenu(pasted, 'GBP').faults))).toEqual(['Flat white = 320']);
});

test('a menu has at most 500 items', () => {
  const many = Array.from({ length: 501 }, (_, index) => `Item no ${index}a 1.00`).join('\n');
  const { items, faults } = parsePastedMenu(many, 'GBP');
  expect([items.length, faults]).toEqual([500, [{ line: 501, text: 'A menu has at most 500 items.' }]]);
});

test('a table with a heading sets VAT, stock and minutes too, whatever separates its cells', () => {
  const rows = [
    ['Item', 'Price', 'VAT', 'Colour', 'Stock', 'Minutes'],
    ['"Cake, ""the best"""', '£4.50', '20%', 'red', '12', '8'],
    ['Loaf', '3.90', '0', '', '', ''],
    ['Bag', '0.10', '', '', '', ''],
  ];
  const items = [
    { name: 'Cake, "the best"', price_pence: 450, vat_rate_bps: 2000, stock: 12, prep_minutes: 8 },
    { name: 'Loaf', price_pence: 390, vat_rate_bps: 0, stock: null },
    { name: 'Bag', price_pence: 10, vat_rate_bps: null, stock: null },
  ];
  for (const separator of [',', ';', '\t']) {
    const parsed = parsePastedMenu(rows.map((cells) => cells.join(separator)).join('\r\n'), 'GBP');
    expect(parsed).toEqual({ items: items.map((item, index) => ({ line: index + 2, ...item })), faults: [] });
  }
  expect(read('name,price\nFlat white,3.20')).toEqual(['Flat white = 320']);
});

test('a row of a table that is no item is named with its cell', () => {
  expect(read('name;price;vat;stock;minutes\n;3\nTea;\nTea;x\nTea;2;high\nTea;2;;many\nTea;2;;;900\nTea;2;;;;9')).toEqual([
    '2: The name is missing.',
    '3: The price is missing.',
    '4: “x” is not a price in GBP.',
    '5: “high” is not a rate of VAT such as 20.',
    '6: “many” is not a number of units.',
    '7: “900” is not a number of minutes, at most 480.',
    '8: There are 6 cells, and the heading has 5.',
  ]);
});

test('an item keeps the id of the one with its name, and the same menu gets the same ids each time', () => {
  const { items } = parsePastedMenu('Flat White 3.40\nTea (hot) 2.00\nTea, hot! 2.20', 'GBP');
  expect(entriesOf(items, [{ id: 'fw', name: 'flat white' }])[0]).toEqual({ id: 'fw', name: 'Flat White', price_pence: 340 });
  const pasted = parsePastedMenu('Crème brûlée 5\nラテ 4\nガ 1\nカ 1\n☕ 3\n☕☕ 2', 'GBP').items;
  const ids = entriesOf(pasted).map(({ id }) => id);
  expect(ids).toEqual(['creme-brulee', 'ラテ', 'ガ', 'カ', 'item', 'item-2']);
  expect(entriesOf(pasted).map(({ id }) => id)).toEqual(ids);
  expect([idFor('Tea (hot)', ['tea-hot', 'Tea-Hot-2']), idFor('x'.repeat(100), []).length <= 64]).toEqual(['tea-hot-3', true]);
});
