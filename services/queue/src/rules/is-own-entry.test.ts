import { expect, test } from '@jest/globals';
import { isOwnEntry } from './is-own-entry.ts';

const ana = { type: 'customer', id: 'ana' };
const guest = { type: 'guest', id: '' };
const staff = { type: 'staff', id: 'sam' };

test('a customer owns the entries with their customer id, and no guest entry', () => {
  expect(isOwnEntry({ customer_id: 'ana' }, ana)).toBe(true);
  expect(isOwnEntry({ customer_id: 'bo' }, ana)).toBe(false);
  expect(isOwnEntry({ customer_id: null }, ana)).toBe(false);
});

test('a caller who is no customer owns the guest entry they name, and no customer’s entry', () => {
  for (const caller of [guest, staff]) {
    expect(isOwnEntry({ customer_id: null }, caller)).toBe(true);
    expect(isOwnEntry({ customer_id: 'ana' }, caller)).toBe(false);
  }
});
