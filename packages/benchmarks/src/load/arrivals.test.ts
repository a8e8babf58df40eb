import { expect, test } from '@jest/globals';
import { arrivalsOf } from './arrivals.ts';

const day = { seconds: 1_440, atPeak: 20 };
const perHour = day.seconds / 24;

/** Visitors of a quarter of an hour that begins at this hour. */
const visitorsFrom = (hour: number) => arrivalsOf(day).filter((at) => at >= hour * perHour && at < (hour + 0.25) * perHour).length;

test('the most visitors come at half past eight, at the rate of the peak; nearly as many at half past twelve, and few at night', () => {
  const quarters = Array.from({ length: 96 }, (_, quarter) => visitorsFrom(quarter / 4));
  const atPeak = (day.atPeak * perHour) / 4;
  expect([8.25, 8.5]).toContain(quarters.indexOf(Math.max(...quarters)) / 4);
  expect(Math.abs(visitorsFrom(8.5) - atPeak)).toBeLessThan(atPeak * 0.05);
  expect(visitorsFrom(12.5)).toBeGreaterThan(atPeak * 0.9);
  expect(visitorsFrom(10.5)).toBeLessThan(atPeak * 0.5);
  expect(visitorsFrom(2)).toBeLessThan(atPeak * 0.05);
});

test('a day of half the seconds has half the visitors, in order and within it', () => {
  const half = arrivalsOf({ ...day, seconds: day.seconds / 2 });
  expect(Math.abs(half.length / arrivalsOf(day).length - 0.5)).toBeLessThan(0.01);
  expect(half).toEqual(half.toSorted((a, b) => a - b));
  expect(half.at(-1)).toBeLessThan(day.seconds / 2);
});
