import { expect, test } from '@jest/globals';
import { contrast, isColour } from './colours.ts';

test('the contrast of two colours is that of WCAG, whichever comes first', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#ffffff', '#000000'), contrast('#1f2a44', '#1F2A44')]).toEqual([21, 21, 1]);
  expect(contrast('#767676', '#ffffff').toFixed(2)).toBe('4.54');
  expect(['#1f2a44', '#12345', 'red', null].map(isColour)).toEqual([true, false, false, false]);
});
