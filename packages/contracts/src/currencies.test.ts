import { describe, expect, test } from '@jest/globals';
import { currencies, formatMoney, isWholeSteps, rulesOfCurrency } from './currencies.ts';

/** Replaces the no-break spaces that `Intl` puts between a sign and a number. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test.each([
  ['GBP', 2, 1, 30],
  ['USD', 2, 1, 50],
  ['DKK', 2, 1, 250],
  ['HUF', 2, 1, 17_500],
  ['TWD', 2, 1, 1],
  ['JPY', 0, 1, 50],
  ['KRW', 0, 1, 50],
  ['KWD', 3, 10, 10],
  ['BHD', 3, 10, 10],
  ['ISK', 2, 100, 100],
  ['UGX', 2, 100, 100],
])('%s has %i decimals, is charged in steps of %i, and from %i', (code, decimals, step, minimum) => {
  expect(rulesOfCurrency(code)).toMatchObject({ decimals, step, minimum });
});

test('every currency has a code that exists, a minimum of whole steps, and a maximum that an integer column holds', () => {
  const known = Intl.supportedValuesOf('currency');
  for (const [code, { minimum, maximum }] of Object.entries(currencies)) {
    expect(known).toContain(code);
    expect(isWholeSteps(minimum, code)).toBe(true);
    expect(maximum).toBeLessThan(2 ** 31);
  }
});

test.each([
  [10, 'KWD', true],
  [5_124, 'KWD', false],
  [500, 'ISK', true],
  [550, 'ISK', false],
  [17_501, 'HUF', true],
  [1, 'JPY', true],
])('that %i of %s can be charged is %s', (minor, currency, whole) => {
  expect(isWholeSteps(minor, currency)).toBe(whole);
});

describe('an amount is written', () => {
  test.each([
    [690, 'GBP', 'en-GB', '£6.90'],
    [690, 'EUR', 'fr', '6,90 €'],
    [500, 'JPY', 'en-GB', 'JP¥500'],
    [12_000, 'KRW', 'en', '₩12,000'],
    [5_120, 'KWD', 'en', 'KWD 5.120'],
    [5_000, 'BHD', 'fr', '5,000 BHD'],
    [500, 'ISK', 'en', 'ISK 5'],
    [17_500, 'HUF', 'en', 'HUF 175'],
    [17_550, 'HUF', 'en', 'HUF 175.50'],
    [80_000, 'TWD', 'en', 'NT$800.00'],
    [1_500_000, 'IDR', 'en', 'IDR 15,000'],
    [-250, 'GBP', 'en-GB', '-£2.50'],
    [100, 'XXY', 'en', 'XXY 1.00'],
  ])('%i of %s in %s as %s', (minor, currency, language, written) => {
    expect(plain(formatMoney(minor, currency, language))).toBe(written);
  });
});
