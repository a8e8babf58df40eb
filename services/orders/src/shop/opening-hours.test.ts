import { expect, test } from '@jest/globals';
import { atStore, closedUntil, keptByZone } from './rules/opening-hours.ts';

const closure = (starts: string, ends: string) => ({ starts_at: `2026-12-${starts}:00Z`, ends_at: `2026-12-${ends}:00Z` });
const at = (time: string) => new Date(`2026-12-${time}:00Z`);
/** Christmas, with Boxing Day listed first, and New Year's Eve. */
const closures = [closure('26T00:00', '27T00:00'), closure('24T12:00', '26T00:00'), closure('31T00:00', '31T23:00')];

test.each([
  ['24T11:59', null],
  ['24T12:00', '27T00:00'],
  ['26T23:59', '27T00:00'],
  ['27T00:00', null],
  ['31T22:59', '31T23:00'],
  ['31T23:00', null],
])('at %s the store is closed until %s', (time, until) => {
  expect(closedUntil(closures, at(time))).toEqual(until && at(until));
});

test.each([
  ['24T11:45', '24T12:00', null],
  ['24T11:45', '24T12:01', '27T00:00'],
  ['26T23:45', '27T00:00', '27T00:00'],
  ['27T00:00', '27T00:15', null],
  ['23T00:00', '31T12:00', '27T00:00'],
])('of a slot from %s to %s the closures last until %s', (from, to, until) => {
  expect(closedUntil(closures, at(from), at(to))).toEqual(until && at(until));
});

test('an instant is written as the day and the time at the store', () => {
  expect(atStore(at('27T00:00'), 'Europe/Paris')).toMatch(/^Sunday,? 27 December at 01:00$/);
});

test('the formatter of a zone is made once', () => {
  const inZone = keptByZone({ hour: '2-digit' });
  expect(inZone('Asia/Tokyo')).toBe(inZone('Asia/Tokyo'));
  expect(inZone('Asia/Tokyo').resolvedOptions().timeZone).toBe('Asia/Tokyo');
  expect(inZone('Europe/Paris').resolvedOptions().timeZone).toBe('Europe/Paris');
});
