import { expect, test } from '@jest/globals';
import { refundableLines, requestedLines, sumOfUnits, unitsInWords } from './refund-lines.ts';

const lines = refundableLines([
  {
    position: 1,
    name: 'Flat white',
    quantity: 2,
    refunded: 0,
    unit_price_pence: 360,
    choices: [{ option: 'Milk', choice_id: 'oat', name: 'Oat milk', price_pence: 40 }],
  },
  { position: 2, name: 'Croissant', quantity: 3, refunded: 2, unit_price_pence: 290, choices: [] },
  { position: 3, name: 'Espresso', quantity: 1, refunded: 1, unit_price_pence: 240, choices: [] },
]);

test('lines can be refunded by the units that are left of them, and are named with their choices', () => {
  expect(lines).toEqual([
    { position: 1, name: 'Flat white (Oat milk)', left: 2, unitPence: 360 },
    { position: 2, name: 'Croissant', left: 1, unitPence: 290 },
  ]);
});

test('a refund names the chosen lines, and no more units than are left', () => {
  expect(requestedLines(lines, { 1: 1, 2: 3, 3: 1 }, true)).toEqual([
    { position: 1, quantity: 1, restock: true },
    { position: 2, quantity: 1, restock: true },
  ]);
  expect(requestedLines(lines, { 1: 0 }, false)).toEqual([]);
});

test('chosen units have a sum and words, and the sum is not known where a discount was taken off', () => {
  const chosen = { 1: 2, 2: 3 };
  expect([sumOfUnits(lines, chosen, 0), sumOfUnits(lines, {}, 0), sumOfUnits(lines, chosen, 100)]).toEqual([1010, 0, null]);
  expect([unitsInWords(lines, chosen), unitsInWords(lines, { 1: 0 })]).toEqual(['2 × Flat white (Oat milk), 1 × Croissant', '']);
});
