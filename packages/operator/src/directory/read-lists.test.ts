import { describe, expect, test } from '@jest/globals';
import { DirectoryFaults } from './parse-directory.ts';
import { readCsv } from './read-csv.ts';
import { readCustomers } from './read-customers.ts';
import { readMenu } from './read-menu.ts';

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof DirectoryFaults) return error.faults;
    throw error;
  }
  return [];
}

test('cells may be quoted, and every line keeps its number', () => {
  expect(readCsv('\uFEFFa,b\r\n\r\n"House beans, 250 g", 9.50 \n,,\n"a ""b""\nc",1\nlast,')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['House beans, 250 g', '9.50'] },
    { line: 5, cells: ['a "b"\nc', '1'] },
    { line: 7, cells: ['last', ''] },
  ]);
});

describe('a menu as a list', () => {
  const one = (text: string, currency = 'GBP') => readMenu(text, currency)[0];

  test.each<[string, string, number]>([
    ['Flat white,3.20', 'Flat white', 320],
    ['Flat white 3.20', 'Flat white', 320],
    ['Flat white\t£3.2', 'Flat white', 320],
    ['Flat white ..... 3', 'Flat white', 300],
    ['7UP 330 ml 1.50', '7UP 330 ml', 150],
    ['"Flat white, large",4', 'Flat white, large', 400],
  ])('%j is %s at %i pence', (line, name, pence) => {
    expect(one(line)).toMatchObject({ name, price_pence: pence });
  });

  test('prices have the decimals of the currency', () => {
    expect(one('Coffee,500', 'JPY')?.price_pence).toBe(500);
    expect(one('Coffee,1.250', 'KWD')?.price_pence).toBe(1250);
  });

  test('ids are made of names, and two names do not meet in one', () => {
    const ids = readMenu('Crème brûlée,5\nFlat white,3\n抹茶,4\n玄米茶,4\nカフェ latte,4\nlatte,4', 'GBP').map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['creme-brulee', 'flat-white']);
    expect(new Set(ids).size).toBe(6);
  });

  test('each wrong line is named', () => {
    const text = 'name,price\nFlat white,3.20\nLatte\nTea 2,20\nCake,4.505\nBun,-1\nFlat  White,3.30\nScone,3,4';
    expect(faultsOf(() => readMenu(text, 'GBP'))).toEqual([
      expect.stringMatching(/^line 3: is not a name and a price/),
      'line 4: write the price with a point: Tea 2.20',
      'line 5: 4.505 has more decimals than GBP, which has 2',
      'line 6: -1 is not a price, such as 3.20',
      'line 7: Flat  White is on line 2 already',
      expect.stringMatching(/^line 8: /),
    ]);
    expect(faultsOf(() => readMenu('Coffee,1.255', 'KWD'))).toEqual([expect.stringMatching(/multiples of 0.01/)]);
    expect(faultsOf(() => readMenu('\n', 'GBP'))).toHaveLength(1);
  });
});

describe('customers as a list', () => {
  test('the same address is the same customer, in whatever order the columns are', () => {
    const [ana] = readCustomers('Ana,Ana@example.com,+44 7700 900001,EN');
    expect(ana).toMatchObject({ name: 'Ana', email: 'Ana@example.com', phone: '+447700900001', language: 'en' });
    expect(readCustomers('Email,Name\nana@example.com,Ana B')[0]).toMatchObject({
      id: ana?.id,
      name: 'Ana B',
      phone: null,
      language: null,
    });
    expect(ana?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });

  test('an id in the file is kept', () => {
    const id = '0190a000-0000-7000-8000-0000000000a1';
    expect(readCustomers(`id,name\n${id.toUpperCase()},Ana`)).toMatchObject([{ id, name: 'Ana', email: null }]);
  });

  test('each wrong line is named, without the address', () => {
    const text = 'Ana,ana@example.com\nBo,bo\nCy,,07700900001\nDi,,,de\nEd\nAna,ANA@example.com\na,b@example.com,,en,,x';
    const faults = faultsOf(() => readCustomers(text));
    expect(faults).toEqual([
      'line 2: the email is not an address',
      expect.stringMatching(/^line 3: the phone number must begin with \+/),
      'line 4: the language must be one of en, fr',
      'line 4: an email, a phone number or an id is needed',
      'line 5: an email, a phone number or an id is needed',
      'line 6: the customer of line 1 again',
      'line 7: it has more cells than there are columns',
    ]);
  });
});
