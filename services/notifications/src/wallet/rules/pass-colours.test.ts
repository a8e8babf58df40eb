import { expect, test } from '@jest/globals';
import { passColours, toRgb } from './pass-colours.ts';

test('text is black on a light background and white on a dark one', () => {
  const foregrounds = ['#ffffff', '#f4e3c1', '#777777', '#112233', '#000000'].map((colour) => passColours(colour).foreground);
  expect(foregrounds).toEqual(['#000000', '#000000', '#000000', '#ffffff', '#ffffff']);
});

test('a store without a colour gets the default background', () => {
  expect(passColours(null)).toEqual({ background: '#1f2a44', foreground: '#ffffff' });
});

test('a colour converts to Apple’s notation', () => {
  expect(toRgb('#f4e3c1')).toBe('rgb(244, 227, 193)');
});
