import { expect, test } from '@jest/globals';
import { keptQuotes, keptView, waitRange } from './waits.ts';

test('the spread of past quotes is added to a quote, and no wait is below 0', () => {
  expect(waitRange(30, [-10, 12])).toEqual({ from_min: 20, to_min: 42 });
  expect(waitRange(5, [-10, 12])).toEqual({ from_min: 0, to_min: 17 });
  expect(waitRange(0, [-10, -2])).toEqual({ from_min: 0, to_min: 0 });
  expect(waitRange(0, [4, 9])).toEqual({ from_min: 4, to_min: 9 });
});

test('without a wait, and with too few quotes, there is no range', () => {
  expect(waitRange(null, [-10, 12])).toBe(null);
  expect(waitRange(30, null)).toBe(null);
});

test('what is public is of twenty quotes at least, in four weeks', () => {
  const since = (now: string, zone: string) => keptQuotes(new Date(now), zone).since.toISOString();
  expect(keptQuotes(new Date('2026-05-28T10:00:00Z'), 'UTC')).toMatchObject({ fewest: 20, graceMinutes: 5 });
  expect(since('2026-05-28T10:00:00Z', 'UTC')).toBe('2026-05-01T00:00:00.000Z');
  expect(since('2026-05-27T23:30:00Z', 'Europe/London')).toBe('2026-04-30T23:00:00.000Z');
  expect(keptView({ offered: 19, kept: 19, spread: null })).toEqual({ kept_percent: null, late_by_min: null, quotes: 19 });
  expect(keptView({ offered: 21, kept: 19, spread: [-3, 7] })).toEqual({ kept_percent: 90, late_by_min: 7, quotes: 21 });
  expect(keptView({ offered: 21, kept: 21, spread: [-3, -1] }).late_by_min).toBe(0);
});
