import { expect, test } from '@jest/globals';
import { closingTime, type Opening } from './opening-hours.ts';

const everyDay = (opens: string, closes: string): Opening[] => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens, closes }));
const closing = (hours: readonly Opening[], at: string, zone = 'Europe/London') => {
  const closes = closingTime(hours, zone, Date.parse(at));
  return closes === null ? null : new Date(closes).toISOString();
};

test.each([
  ['before the store opens', '2026-05-01T05:00:00Z', '2026-05-01T17:00:00.000Z'],
  ['a minute before closing', '2026-05-01T16:59:00Z', '2026-05-01T17:00:00.000Z'],
  ['after closing, when it is in the past', '2026-05-01T20:00:00Z', '2026-05-01T17:00:00.000Z'],
  ['after local midnight and before midnight in UTC, when it is the next day’s', '2026-05-01T23:30:00Z', '2026-05-02T17:00:00.000Z'],
])('the closing time is right %s', (_, at, closes) => expect(closing(everyDay('09:00', '18:00'), at)).toBe(closes));

test('a lunch break does not end the day', () => {
  const hours = [...everyDay('14:00', '18:00'), ...everyDay('09:00', '13:00')];
  expect(closing(hours, '2026-05-01T11:59:00Z')).toBe('2026-05-01T17:00:00.000Z');
});

test('an opening that runs past midnight belongs to the day it began', () => {
  const hours = everyDay('18:00', '02:00');
  expect(closing(hours, '2026-05-01T23:30:00Z')).toBe('2026-05-02T01:00:00.000Z');
  expect(closing(hours, '2026-05-02T01:00:00Z')).toBe('2026-05-03T01:00:00.000Z');
  expect(closing([{ day: 7, opens: '18:00', closes: '00:00' }], '2026-05-03T22:59:00Z')).toBe('2026-05-03T23:00:00.000Z');
});

test('a day without an opening has no closing time; without hours the day ends at midnight, or four hours later than now', () => {
  expect(closing([{ day: 1, opens: '09:00', closes: '18:00' }], '2026-05-01T12:00:00Z')).toBeNull();
  expect(closing([], '2026-05-01T12:00:00Z')).toBe('2026-05-01T23:00:00.000Z');
  expect(closing([], '2026-05-01T22:30:00Z')).toBe('2026-05-02T02:30:00.000Z');
});

test.each([
  ['spring, the clocks skip one to two', '2026-03-28T23:00:00Z', '03:00', '2026-03-29T02:00:00.000Z'],
  ['spring, closing at a time that is skipped', '2026-03-28T23:00:00Z', '01:30', '2026-03-29T01:30:00.000Z'],
  ['autumn, the clocks show one to two twice', '2026-10-24T22:00:00Z', '03:00', '2026-10-25T03:00:00.000Z'],
  ['autumn, closing at a time shown twice', '2026-10-24T22:00:00Z', '01:30', '2026-10-25T00:30:00.000Z'],
])('the closing time is right on the night of the clock change in %s', (_, at, closes, instant) =>
  expect(closing(everyDay('20:00', closes), at)).toBe(instant),
);

test('the closing time is right in time zones west and far east of Greenwich', () => {
  expect(closing(everyDay('09:00', '18:00'), '2026-11-01T12:00:00Z', 'America/New_York')).toBe('2026-11-01T23:00:00.000Z');
  expect(closing(everyDay('09:00', '18:00'), '2026-10-31T12:00:00Z', 'America/New_York')).toBe('2026-10-31T22:00:00.000Z');
  expect(closing(everyDay('09:00', '18:00'), '2026-05-01T23:00:00Z', 'Pacific/Auckland')).toBe('2026-05-02T06:00:00.000Z');
});
