import { expect, test } from '@jest/globals';
import { refundableLines, requestedLines } from './refund-lines.ts';

const lines = refundableLines([
  {
    ...{ position: 1, name: 'Flat white', quantity: 2, refunded: 0 },
    choices: [{ option: 'Milk', choice_id: 'oat', name: 'Oat milk', price_pence: 40 }],
  },
  { position: 2, name: 'Croissant', quantity: 3, refunded: 2, choices: [] },
  { position: 3, name: 'Espresso', quantity: 1, refunded: 1, choices: [] },
]);

test('lines can be refunded by the units that are left of them, and are named with their choices', () => {
  expect(lines).toEqual([
    { position: 1, name: 'Flat white (Oat milk)', left: 2 },
    { position: 2, name: 'Croissant', left: 1 },
  ]);
});

test('a refund names the chosen lines, and no more units than are left', () => {
  expect(requestedLines(lines, { 1: 1, 2: 3, 3: 1 }, true)).toEqual([
    { position: 1, quantity: 1, restock: true },
    { position: 2, quantity: 1, restock: true },
  ]);
  expect(requestedLines(lines, { 1: 0 }, false)).toEqual([]);
});
