import { expect, test } from '@jest/globals';
import { idFor, menuEntriesOf } from './menu-entries.ts';
import { namingColumn, parsePastedMenu, withHeadings, withoutFaults } from './menu-list.ts';

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
    '4: There are two prices. Write a line for each size.',
    '5: “flat-white” is on line 3 already.',
    '6: “3.205” has more decimals than GBP, which has 2.',
    '7: The prices of the store are in GBP.',
    '8: There is no price at its end, such as 3.20.',
    '9: The name is missing.',
    '10: The name is longer than 120 characters.',
    '11: “1.250” has more decimals than GBP, which has 2.',
  ]);
  expect(read(withoutFaults(pasted, parsePastedMenu(pasted, 'GBP').faults))).toEqual(['Flat white = 320']);
});

test('a menu has at most 500 items', () => {
  const many = Array.from({ length: 501 }, (_, index) => `Item no ${index}a 1.00`).join('\n');
  const { items, faults } = parsePastedMenu(many, 'GBP');
  expect([items.length, faults]).toMatchObject([500, [{ line: 501, words: 'Item no 500a 1.00', text: 'A menu has at most 500 items.' }]]);
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
    expect(parsed).toMatchObject({ items: items.map((item, index) => ({ line: index + 2, ...item })), faults: [] });
  }
  expect(read('name,price\nFlat white,3.20')).toEqual(['Flat white = 320']);
});

test('a row of a table that is no item is named with its cell', () => {
  expect(read('name;price;vat;stock;minutes\n;3\nTea;\nTea;x\nTea;2;high\nTea;2;;many\nTea;2;;;900\nTea;2;;;;9')).toEqual([
    '2: The name is missing.',
    '3: The price is missing.',
    '4: “x” is not a price in GBP, such as 3.20.',
    '5: “high” is not a rate of VAT such as 20.',
    '6: “many” is not a number of units.',
    '7: “900” is not a number of minutes, at most 480.',
    '8: There are 6 cells, and the heading has 5.',
  ]);
});

test('an item keeps the id of the one with its name, and the same menu gets the same ids each time', () => {
  const { items } = parsePastedMenu('Flat White 3.40\nTea (hot) 2.00\nTea, hot! 2.20', 'GBP');
  expect(menuEntriesOf(items, [{ id: 'fw', name: 'flat white' }])[0]).toEqual({ id: 'fw', name: 'Flat White', price_pence: 340 });
  const pasted = parsePastedMenu('Crème brûlée 5\nラテ 4\nガ 1\nカ 1\n☕ 3\n☕☕ 2', 'GBP').items;
  const ids = menuEntriesOf(pasted).map(({ id }) => id);
  expect(ids).toEqual(['creme-brulee', 'ラテ', 'ガ', 'カ', 'item', 'item-2']);
  expect(menuEntriesOf(pasted).map(({ id }) => id)).toEqual(ids);
  expect([idFor('Tea (hot)', ['tea-hot', 'Tea-Hot-2']), idFor('x'.repeat(100), []).length <= 64]).toEqual(['tea-hot-3', true]);
});

test('a list of semicolons and decimal commas is read as it is meant, and says so', () => {
  expect(read('Espresso;2,40\nFlat white;3,20', 'GBP')).toEqual(['Espresso = 240', 'Flat white = 320']);
  const { reading } = parsePastedMenu('Espresso;2,40\nTable;1.250,00', 'EUR');
  expect(reading).toBe('Read “2,40” as 2.40, “1.250,00” as 1250.00: a comma is a decimal sign, a point groups thousands.');
  expect(parsePastedMenu('Espresso 2.40\nTea £2', 'GBP').reading).toBeNull();
});

test.each([
  'Espresso 2.40 / 2.90',
  'Espresso 2.40/2.90',
  'Espresso 2.40 | 2.90',
  'Espresso 2.40 or 2.90',
  'Espresso 2.40 - 2.90',
  'Espresso £2 £3',
  'Tea 2 / 3',
  'Tea 2 – 3',
  'Gin (single) 4.50 (double) 7.00',
  'Gin (single) 4 (double) 7',
  'Coffee S 2 M 3',
  'Beer 4,50 (large) 6,50',
  'Espresso,2.40,2.90',
  'Espresso;2,40;2,90',
  'Espresso\t2.40\t2.90',
])('a second price is a fault and no part of a name: %s', (line) => {
  expect(parsePastedMenu(line, 'GBP')).toMatchObject({ items: [], faults: [{ line: 1 }] });
});

test('and so it is in a currency without decimals', () => {
  for (const line of ['Ramen 800 / 980', 'Ramen (S) 800 (L) 980', 'ラーメン 並 800円 大 980円'])
    expect([line, parsePastedMenu(line, 'JPY').items]).toEqual([line, []]);
});

test('numbers of a name are no second price', () => {
  expect(read('7 Up 330 ml 1.50\nPizza 4 stagioni 9\nWine 0.75 l 18.00\nMeal 2: 8.50\nWater 50cl 2\n1/2 chicken 8.50')).toEqual([
    '7 Up 330 ml = 150',
    'Pizza 4 stagioni = 900',
    'Wine 0.75 l = 1800',
    'Meal 2 = 850',
    'Water 50cl = 200',
    '1/2 chicken = 850',
  ]);
});

test('prices of other scripts, widths and spaces are read', () => {
  expect(read('ラーメン ¥1,250\nRamen 1,350\nラーメン大 ￥980\n餃子　４８０円', 'JPY')).toEqual([
    'ラーメン = 1250',
    'Ramen = 1350',
    'ラーメン大 = 980',
    '餃子 = 480',
  ]);
  expect(read('Bibimbap 12,000\n김밥 4,500원', 'KRW')).toEqual(['Bibimbap = 12000', '김밥 = 4500']);
  expect(read('Gâteau 1\u202f250,00\u00a0€\nCafé\u00a0: 2,40\u00a0€', 'EUR')).toEqual(['Gâteau = 125000', 'Café = 240']);
});

test('what may mean two things is a fault with its line, and never a guess', () => {
  const faults = (text: string, currency = 'GBP') => parsePastedMenu(text, currency).faults.map(({ line }) => line);
  // “Tea 2” at 20, or Tea at 2.20?
  expect(faults('name,price\nFlat white,3.20\nTea 2,20')).toEqual([3]);
  expect(faults('Flat white,3.20\nTea 2,20')).toEqual([2]);
  expect(faults('Flat white,3,20')).toEqual([1]);
  expect(faults('Cake 1,250')).toEqual([1]);
  expect(faults('Room 2 100.00')).toEqual([1]);
  expect(faults('Bun -1\nBap,-1')).toEqual([1, 2]);
  expect(read('Espresso 2,40\nCake 1.250', 'EUR')).toEqual(['Espresso = 240', 'Cake = 125000']);
  expect(read('name,price\n"Tea 2",20\nRamen,"1,250.00"')).toEqual(['Tea 2 = 2000', 'Ramen = 125000']);
});

test('a blank name is a fault, and characters that no one sees are no part of one', () => {
  expect(read('\u200b;3\nTea\u200b;2\n\ufeffCake;4')).toEqual(['Tea = 200', 'Cake = 400', '1: The name is missing.']);
});

test('a table may be of tabs with CRLF, a byte order mark and quoted cells', () => {
  expect(read('\ufeffItem\tPrice\r\n"Cake, ""the best"""\t4,50\r\n\r\n')).toEqual(['Cake, "the best" = 450']);
  expect(read('name;price\n"Tea;3')).toEqual(['2: A quotation mark is not closed.']);
});

const parts = (text: string) => parsePastedMenu(text, 'GBP').items.map(({ category, name }) => `${category}: ${name}`);

test('the heading above some items is their category, and that is said', () => {
  const pasted =
    'Hot drinks\nFlat white 3.20\nTea 2\n\nCakes & more\nBrownie 2.80\nFROM THE GRILL\nBurger 9\n== Extras ==\nFries 3\nWater:\nStill 2';
  const { items, faults, reading } = parsePastedMenu(pasted, 'GBP');
  expect(parts(pasted)).toEqual([
    'Hot drinks: Flat white',
    'Hot drinks: Tea',
    'Cakes & more: Brownie',
    'FROM THE GRILL: Burger',
    'Extras: Fries',
    'Water: Still',
  ]);
  expect([faults, reading]).toEqual([
    [],
    '“Hot drinks”, “Cakes & more”, “FROM THE GRILL”, “Extras”, “Water” are the parts of the menu that the items below are in.',
  ]);
  expect(menuEntriesOf(items)[0]).toEqual({ id: 'flat-white', name: 'Flat white', price_pence: 320, category: 'Hot drinks' });
  expect(parts('Tea 2\n\nCakes\nBrownie 2.80')).toEqual(['undefined: Tea', 'Cakes: Brownie']);
});

test('a line without a price that may be an item is a fault, and is made a heading by a colon', () => {
  const pasted = 'Tea 2\nCakes\nBrownie 2.80\nLatte 3.20 3.80\n\nSpecials';
  const { faults } = parsePastedMenu(pasted, 'GBP');
  expect(faults.map(({ line, words, mayBeHeading }) => [line, words, mayBeHeading])).toEqual([
    [2, 'Cakes', true],
    [4, 'Latte 3.20 3.80', false],
    [6, 'Specials', false],
  ]);
  expect(faults[0]?.text).toMatch(/no price at its end.* ends with a colon/);
  const mended = withHeadings(pasted, faults);
  expect(mended.split('\n')[1]).toBe('Cakes:');
  expect(parts(mended)).toEqual(['undefined: Tea', 'Cakes: Brownie']);
  expect(parsePastedMenu(`${'Long '.repeat(20)}`, 'GBP').faults[0]?.words).toMatch(/^.{30,40}…$/);
});

test('a table sets categories, allergens and descriptions; an empty cell says nothing of allergens, and one that is no allergen is named', () => {
  const table =
    'name;price;section;allergens;description\nLatte;3.40;Coffee;Soy, dairy and milk;With oat milk\nTea;2;;none;\nCake;3;Cakes;;';
  expect(menuEntriesOf(parsePastedMenu(table, 'GBP').items)).toEqual([
    { id: 'latte', name: 'Latte', price_pence: 340, category: 'Coffee', allergens: ['milk', 'soya'], description: 'With oat milk' },
    { id: 'tea', name: 'Tea', price_pence: 200, category: null, allergens: [], description: null },
    { id: 'cake', name: 'Cake', price_pence: 300, category: 'Cakes', description: null },
  ]);
  expect(read('name;price;allergens\nTea;2;sugar')).toEqual([
    expect.stringMatching(/^2: “sugar” is none of the fourteen allergens: celery/),
  ]);
});

test('columns that are not known are named, and are read or left out once that is said', () => {
  const table = '\nName,Price,Colour,Category,Category,"Of, what"\nTea,2,Coffee,Hot,Cold,leaves';
  const { unknown, items } = parsePastedMenu(table, 'GBP');
  expect(unknown).toEqual([
    { index: 2, heading: 'Colour' },
    { index: 4, heading: 'Category' },
    { index: 5, heading: 'Of, what' },
  ]);
  expect(items[0]?.category).toBe('Hot');
  const named = namingColumn(namingColumn(namingColumn(table, 5, 'description'), 3, null), 2, 'category');
  expect(parsePastedMenu(named, 'GBP')).toMatchObject({
    unknown: [{ index: 4, heading: 'Category' }],
    items: [{ name: 'Tea', category: 'Coffee', description: 'leaves' }],
  });
  expect(parsePastedMenu(namingColumn(named, 4, null), 'GBP').unknown).toEqual([]);
  expect(namingColumn(table, 2, null).split('\n')[1]).toBe('Name,Price,-,Category,Category,"Of, what"');
});
