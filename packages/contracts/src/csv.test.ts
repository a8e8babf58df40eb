import { expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';

test('fields with commas, quotes and line breaks are quoted, and amounts are numbers in the major unit', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'd"e', 'f\ng'],
      [{ minor: 100, decimals: 2 }, { minor: -250, decimals: 2 }, null, { minor: 1500, decimals: 0 }],
    ]),
  ).toBe('a,"b,c","d""e","f\ng"\r\n1.00,-2.50,,1500\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1'])('%j is no formula of a spreadsheet', (text) => {
  expect(csvOf([[text]])).toMatch(/^"?'/);
});

test.each(['Tea;=1+1', 'Tea\t=1+1', 'Tea\n=1+1', 'Tea";=1+1'])(
  'no part of %j is a formula where semicolons or tabs separate cells',
  (text) => {
    expect(csvOf([['S1', text]])).toContain(`'=1+1"\r\n`);
  },
);
