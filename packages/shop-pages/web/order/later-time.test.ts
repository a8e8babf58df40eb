import { expect, test } from '@jest/globals';
import { hasRoom, laterTimes } from './later-time.ts';

const slots = [{}];

test('the choice of a later time has its room as soon as the menu says that the store has slots, and keeps it when all are full', () => {
  const seen = [undefined, slots, []].map((arrived) => laterTimes(true, arrived));
  expect(seen).toEqual(['awaited', 'open', 'full']);
  expect(seen.every(hasRoom)).toBe(true);
});

test('a store without slots has no room for them, before the times are there and after', () => {
  const seen = [undefined, []].map((arrived) => laterTimes(false, arrived));
  expect(seen).toEqual(['none', 'none']);
  expect(seen.some(hasRoom)).toBe(false);
});

test('with an older menu, which says nothing of slots, the times alone decide', () => {
  const seen = [undefined, slots, []].map((arrived) => laterTimes(undefined, arrived));
  expect(seen).toEqual(['unknown', 'open', 'none']);
  expect(seen.map(hasRoom)).toEqual([false, true, false]);
});

test('times that arrive count more than a menu that does not know of them yet', () => {
  expect(laterTimes(false, slots)).toBe('open');
});
