import { expect, test } from '@jest/globals';
import { byDay } from './booking-days.ts';

test('free times are grouped by their day at the shop, in order', () => {
  const times = ['2026-05-01T22:30:00Z', '2026-05-01T23:15:00Z', '2026-05-02T09:00:00Z'].map((starts_at) => ({ starts_at }));
  const inLondon = (instant: string) => new Date(Date.parse(instant) + 3_600_000).toISOString().slice(0, 10);
  expect(byDay(times, inLondon)).toEqual([
    { name: '2026-05-01', times: ['2026-05-01T22:30:00Z'] },
    { name: '2026-05-02', times: ['2026-05-01T23:15:00Z', '2026-05-02T09:00:00Z'] },
  ]);
  expect(byDay([], inLondon)).toEqual([]);
});
