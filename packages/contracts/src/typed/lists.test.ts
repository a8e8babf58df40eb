// covers what people type and paste besides menus: cells, prices, phone numbers, codes.
import { describe, expect, test } from '@jest/globals';
import { readRows, separatorOf, textOfBytes } from './cells.ts';
import { countryOfZone, phoneNumberInWords, readPhoneNumber } from './phone-numbers.ts';
import { isBlank, normaliseTyped } from './plain.ts';
import { notationOf, readPrice } from './prices.ts';

describe('a price', () => {
  test.each<[string, string, number]>([
    ['3.20', 'GBP', 320],
    ['3,20', 'EUR', 320],
    ['£3.2', 'GBP', 320],
    ['3,20 €', 'EUR', 320],
    ['1.250,00', 'EUR', 125_000],
    ['1,250.00', 'GBP', 125_000],
    ['1\u00a0250,00', 'EUR', 125_000],
    ['1\u202f250,00', 'EUR', 125_000],
    ["1'250.00", 'CHF', 125_000],
    ['1’250.–', 'CHF', 125_000],
    ['5,-', 'EUR', 500],
    ['1,250', 'JPY', 1250],
    ['￥1,250', 'JPY', 1250],
    ['９８０円', 'JPY', 980],
    ['12,000', 'KRW', 12_000],
    ['₩12,000', 'KRW', 12_000],
    ['12,000원', 'KRW', 12_000],
    ['٣٫٢٠', 'EUR', 320],
    ['45 kr', 'SEK', 4500],
    ['1.500', 'BHD', 1500],
    ['1,234,567', 'JPY', 1_234_567],
  ])('%s in %s is %i', (typed, currency, minor) => {
    expect(readPrice(typed, currency)).toBe(minor);
  });

  test.each([
    ['1.250', 'GBP', /two ways/],
    ['1,250', 'EUR', /two ways/],
    ['1,500', 'BHD', /two ways/],
    ['9.80', 'JPY', /more decimals/],
    ['3.2055', 'GBP', /more decimals/],
    ['$3.00', 'GBP', /are in GBP/],
    ['3.00 USD', 'GBP', /are in GBP/],
    ['-3.00', 'GBP', /not a price/],
    ['2.40 / 2.90', 'GBP', /not a price/],
    ['12,34,5', 'GBP', /not a price/],
    ['', 'GBP', /not a price/],
  ])('%s in %s is refused', (typed, currency, why) => {
    expect(readPrice(typed, currency)).toMatch(why);
  });

  test('that may mean two is read as the others of its list are', () => {
    expect(readPrice('1.250', 'EUR', notationOf(['1.250', '3,20'], 'EUR'))).toBe(125_000);
    expect(readPrice('1,250', 'GBP', notationOf(['1,250', '3.20'], 'GBP'))).toBe(125_000);
    expect(readPrice('1,500', 'TND', notationOf(['1,500', '0,800'], 'TND'))).toBe(1500);
    expect(readPrice('3.205', 'GBP', notationOf(['3.205', '3.20'], 'GBP'))).toMatch(/more decimals/);
  });
});

describe('cells', () => {
  test('may be quoted, and every line keeps its number', () => {
    expect(readRows('\uFEFFa,b\r\n\r\n"House beans, 250 g", 9.50 \n,,\n"a ""b""\nc",1\nlast,', ',')).toEqual([
      { line: 1, cells: ['a', 'b'], fault: null },
      { line: 3, cells: ['House beans, 250 g', '9.50'], fault: null },
      { line: 5, cells: ['a "b"\nc', '1'], fault: null },
      { line: 7, cells: ['last', ''], fault: null },
    ]);
  });

  test('with a quote that is not closed, or text after one, are a fault of that line alone', () => {
    expect(readRows('"b" c,3\na,2\n"open,1', ',')).toEqual([
      { line: 1, cells: [], fault: 'Text follows a cell in quotation marks.' },
      { line: 2, cells: ['a', '2'], fault: null },
      { line: 3, cells: [], fault: 'A quotation mark is not closed.' },
    ]);
  });

  test('are separated by what is in each line', () => {
    expect(['a;b,c\nd;e', 'a\tb;c\nd\te', 'a,b\n"c;d",e', 'one'].map(separatorOf)).toEqual([';', '\t', ',', ',']);
  });

  test('of a file are UTF-8, or UTF-16 that says so; nothing else is guessed', () => {
    const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
    expect(textOfBytes(bytes('\ufeffCrème', 'utf8'))).toBe('Crème');
    expect(textOfBytes(bytes('\ufeffCrème', 'utf16le'))).toBe('Crème');
    expect(textOfBytes(bytes('\ufeffCrème', 'utf16le').swap16())).toBe('Crème');
    expect(textOfBytes(bytes('Crème', 'latin1'))).toBeNull();
    expect(textOfBytes(bytes('Tea', 'utf16le'))).toBeNull();
  });
});

describe('a phone number', () => {
  test.each<[string, string | null, string]>([
    ['+447700900321', null, '+447700900321'],
    ['+44 (0)7700 900321', null, '+447700900321'],
    ['+4407700900321', null, '+447700900321'],
    ['0044 7700 900321', null, '+447700900321'],
    ['＋４４ ７７００ ９００３２１', null, '+447700900321'],
    ['\u202a+447700900321\u202c', null, '+447700900321'],
    ["'+447700900321", null, '+447700900321'],
    ['07700 900321', 'GB', '+447700900321'],
    ['7700900321', 'GB', '+447700900321'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['(212) 555-0100', 'US', '+12125550100'],
    ['+49 (0)30/123456', null, '+4930123456'],
    ['+39 06 6982 1234', null, '+390669821234'],
    ['+12345678', null, '+12345678'],
  ])('%s, dialled in %s, is %s', (typed, country, number) => {
    expect(readPhoneNumber(typed, country)).toBe(number);
  });

  test.each([
    ['07700 900321', null],
    ['+44 7700 90032', null],
    ['+44 7700 900321 / 07700 900322', null],
    ['+44 7700 900321 ext 5', null],
    ['4.47700E+11', 'GB'],
    ['12345', 'GB'],
    ['call me', 'GB'],
    ['', 'GB'],
  ])('%s, dialled in %s, is none', (typed, country) => {
    expect(readPhoneNumber(typed, country)).toBeNull();
  });

  test('is shown as people write it', () => {
    expect([phoneNumberInWords('+447700900321'), phoneNumberInWords('x')]).toEqual(['+44 7700 900321', 'x']);
  });

  test('is dialled in the country of a time zone, whatever the zone is called', () => {
    const zones = ['Europe/London', 'Asia/Kolkata', 'Asia/Calcutta', 'America/New_York', 'UTC', 'nowhere'];
    expect(zones.map(countryOfZone)).toEqual(['GB', 'IN', 'IN', 'US', null, null]);
  });
});

describe('a code', () => {
  test('is the same however it is typed', () => {
    const ways = ['CAFÉ10', ' café10 ', 'cafe\u030110', 'café１０', 'CAFÉ10\u200b', 'ＣＡＦÉ10', '\ufeffcafé10'];
    expect(new Set(ways.map(normaliseTyped))).toEqual(new Set(['CAFÉ10']));
    expect(new Set(['A-B', 'a‐b', 'a–b', 'a—b', 'a−b', 'a－b'].map(normaliseTyped))).toEqual(new Set(['A-B']));
    expect(normaliseTyped('one \u00a0two')).toBe('ONE TWO');
  });

  test('and a name that shows nothing is blank', () => {
    expect(['', '  ', '\u00a0', '\u200b', '\u3164', '\u2060 \ufeff', 'a', '☕️'].map(isBlank)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
