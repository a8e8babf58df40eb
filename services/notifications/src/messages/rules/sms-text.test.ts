import { expect, test } from '@jest/globals';
import { smsText } from './channels.ts';

test('a text is the title and the body, with plain quotes, dashes and spaces', () => {
  const body = 'Bea’s Bakery – “La Côte” – vous attend à 14\u00a0h\u202f05.';
  expect(smsText({ title: 'C’est à vous', body })).toBe('C\'est à vous. Bea\'s Bakery - "La Côte" - vous attend à 14 h 05.');
});
