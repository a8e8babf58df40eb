import { expect, test } from '@jest/globals';
import { arrivalsOf } from './arrivals.ts';

const [seconds, atPeak] = [1_440, 20];
const perHour = seconds / 24;

const visitorsFrom = (hour: number) =>
  arrivalsOf(seconds, atPeak).filter((at) => at >= hour * perHour && at < (hour + 0.25) * perHour).length;

test('the most visitors come at half past eight, at the rate of the peak; nearly as many at half past twelve, and few at night', () => {
  const quarters = Array.from({ length: 96 }, (_, quarter) => visitorsFrom(quarter / 4));
  const most = (atPeak * perHour) / 4;
  expect([8.25, 8.5]).toContain(quarters.indexOf(Math.max(...quarters)) / 4);
  expect(Math.abs(visitorsFrom(8.5) - most)).toBeLessThan(most * 0.05);
  expect(visitorsFrom(12.5)).toBeGreaterThan(most * 0.9);
  expect(visitorsFrom(10.5)).toBeLessThan(most * 0.5);
  expect(visitorsFrom(2)).toBeLessThan(most * 0.05);
});

test('a day of half the seconds has half the visitors, in order and within it', () => {
  const half = arrivalsOf(seconds / 2, atPeak);
  expect(Math.abs(half.length / arrivalsOf(seconds, atPeak).length - 0.5)).toBeLessThan(0.01);
  expect(half).toEqual(half.toSorted((a, b) => a - b));
  expect(half.at(-1)).toBeLessThan(seconds / 2);
});
