import { expect, test } from '@jest/globals';
import { parsePosition, positionText } from './positions.ts';

const hackney = { latitude: 51.543, longitude: -0.0553 };

test.each([
  ['as a map copies it', '51.543, -0.0553', hackney],
  ['in brackets, with another minus', '(51.543, −0.0553)', hackney],
  ['with degrees and a space', ' 51.543° -0.0553° ', hackney],
  ['on the equator', '0, 180', { latitude: 0, longitude: 180 }],
  ['that is none', 'Market Street', null],
  ['with one number', '51.543', null],
  ['with a comma for the point', '51,543, -0,0553', null],
  ['beyond the pole', '91, 0', null],
  ['beyond the date line', '0, -180.1', null],
])('a position %s is read', (_, typed, position) => {
  expect(parsePosition(typed)).toEqual(position);
});

test('a position reads as it was typed', () => {
  expect(parsePosition(positionText(hackney))).toEqual(hackney);
});
