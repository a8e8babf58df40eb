import { expect, test } from '@jest/globals';
import { csvOf } from './add-money.ts';

test('fields with commas, quotes and line breaks are quoted, and numbers stay numbers', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'd"e', 'f\ng'],
      [1, -250, null, ''],
    ]),
  ).toBe('a,"b,c","d""e","f\ng"\r\n1,-250,,\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is no formula of a spreadsheet', (text) => {
  expect(csvOf([[text]])).toMatch(/^"?'/);
});
