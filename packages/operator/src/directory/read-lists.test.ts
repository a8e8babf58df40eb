import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { mergeMenu } from './merge-lists.ts';
import { DirectoryFaults } from './parse-directory.ts';
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

describe('a menu as a list', () => {
  const one = (text: string, currency = 'GBP') => readMenu(text, currency).items[0];

  test.each<[string, string, number]>([
    ['Flat white,3.20', 'Flat white', 320],
    ['Flat white 3.20', 'Flat white', 320],
    ['Flat white;3,20', 'Flat white', 320],
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

  test('changes the items of the menu that have its names, adds the others, and says how it was read', () => {
    const store = { id: randomUUID(), currency: 'EUR' } as Parameters<typeof mergeMenu>[1];
    const menu = { store_id: store.id, items: [{ id: 'fw', name: 'flat white', price_pence: 300 }] } as unknown as Parameters<
      typeof mergeMenu
    >[2];
    const { content, said } = mergeMenu('Flat white;3,20\nCrème brûlée;5\n抹茶;4\n', store, menu);
    expect(content).toMatchObject({
      menus: [
        {
          items: [
            { id: 'fw', price_pence: 320 },
            { id: 'creme-brulee', price_pence: 500 },
            { id: '抹茶', price_pence: 400 },
          ],
        },
      ],
    });
    expect(said).toEqual(['Read “3,20” as 3.20: a comma is a decimal sign.', 'line 1: Flat white at 3.20, from “3,20”']);
  });

  test('each wrong line is named', () => {
    const text = 'name,price\nFlat white,3.20\nLatte\nTea 2,20\nCake,4.505\nBun,-1\nFlat  White,3.30\nScone,3,4';
    expect(faultsOf(() => readMenu(text, 'GBP'))).toEqual([
      'line 3, “Latte”: The price is missing.',
      expect.stringMatching(/^line 4, “Tea 2,20”: It is not certain whether a comma is a decimal sign/),
      'line 5, “Cake,4.505”: “4.505” has more decimals than GBP, which has 2.',
      'line 6, “Bun,-1”: “-1” is not a price in GBP, such as 3.20.',
      'line 7, “Flat  White,3.30”: “Flat White” is on line 2 already.',
      'line 8, “Scone,3,4”: There are 3 cells, and the heading has 2.',
    ]);
    expect(faultsOf(() => readMenu('name,price,shelf\nTea,2,9', 'GBP'))).toEqual([
      expect.stringMatching(/^the column “shelf” is not known: call it one of name, price,.* or - to leave it out$/),
    ]);
    expect(faultsOf(() => readMenu('Coffee,1.255', 'KWD'))).toEqual([expect.stringMatching(/multiples of 0.01/)]);
    expect(faultsOf(() => readMenu('\n', 'GBP'))).toHaveLength(1);
  });
});

describe('customers as a list', () => {
  test('the same address is the same customer, in whatever order the columns are', () => {
    const [ana] = readCustomers('Ana,Ana@example.com,+44 7700 900001,EN');
    expect(ana).toMatchObject({ name: 'Ana', email: 'Ana@example.com', phone: '+447700900001', language: 'en' });
    expect(readCustomers('Ana;ana@example.com;+44 (0)7700 900001')[0]).toMatchObject({ id: ana?.id, phone: '+447700900001' });
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
