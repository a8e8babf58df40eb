import { describe, expect, test } from '@jest/globals';
import { atStore, closedUntil, isOpen, openingsOfWeek, timeAtStore } from './rules/taking-orders.ts';

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

test.each([
  ['in summer', '2026-07-06T08:00:00Z', '09:00', true],
  ['in winter', '2026-12-07T08:59:00Z', '08:59', false],
  ['in winter', '2026-12-07T09:00:00Z', '09:00', true],
  ['on the evening before the clocks change', '2026-03-28T23:30:00Z', '23:30', true],
  ['in the night in which the clocks skip an hour', '2026-03-29T01:30:00Z', '02:30', true],
  ['after that night’s opening ended', '2026-03-29T02:00:00Z', '03:00', false],
])('a store opens and closes by its own clock %s: at %s it shows %s', (_, instant, time, open) => {
  // Mondays from nine to five, and Saturdays until three in the night.
  const hours = [
    { day: 1, opens: '09:00', closes: '17:00' },
    { day: 6, opens: '20:00', closes: '03:00' },
  ];
  expect(timeAtStore(new Date(instant), 'Europe/London')).toBe(time);
  expect(isOpen(hours, 'Europe/London', new Date(instant))).toBe(open);
});

describe('the openings of a week', () => {
  const weekdays = [1, 2, 3, 4, 5].map((day) => ({ day, opens: '09:00', closes: '17:00' }));
  const openings = (hours: typeof weekdays, cuts: typeof closures, now: string, time_zone = 'UTC') =>
    openingsOfWeek({ hours, closures: cuts, time_zone }, at(now)).map(({ starts_at, ends_at }) => [
      starts_at.slice(8, 16),
      ends_at.slice(8, 16),
    ]);

  test('are the hours without the closures: a day is left out, and one is shortened', () => {
    expect(openings(weekdays, closures, '23T10:00')).toEqual([
      ['23T09:00', '23T17:00'],
      ['24T09:00', '24T12:00'],
      ['28T09:00', '28T17:00'],
      ['29T09:00', '29T17:00'],
    ]);
  });

  test('of a store that never closes are seven days, in two parts around a closure', () => {
    expect(openings([], [closure('05T10:00', '05T12:00')], '02T23:59')).toEqual([
      ['02T00:00', '05T10:00'],
      ['05T12:00', '09T00:00'],
    ]);
  });

  test('begin with one that runs past midnight, are the store’s own time, and do not change during its day', () => {
    const nights = [{ day: 6, opens: '20:00', closes: '03:00' }];
    const expected = [
      ['05T19:00', '06T02:00'],
      ['12T19:00', '13T02:00'],
    ];
    for (const now of ['05T23:00', '06T22:59']) expect(openings(nights, [], now, 'Europe/Paris')).toEqual(expected);
    expect(openings(nights, [], '06T23:00', 'Europe/Paris')).toEqual(expected.slice(1));
  });
});
