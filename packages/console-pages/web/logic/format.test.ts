import { expect, test } from '@jest/globals';
import { ago, bytes, clock, duration, instant, money, plural, shortId, stopwatch } from './format.ts';

test('money has the decimals that the provider counts, and the currency', () => {
  expect(money(690, 'GBP', 'en-GB')).toBe('£6.90');
  expect(money(-0, 'GBP', 'en-GB')).toBe('£0.00');
  expect(money(-500, 'JPY', 'en-GB')).toBe('-JP¥500');
  expect(money(1_500, 'TND', 'en-GB')).toMatch(/1\.500/);
});

test('an instant is in the given zone, exact to the millisecond', () => {
  expect(clock('2026-11-23T13:03:22.018Z', 'Europe/Berlin')).toBe('14:03:22.018');
  expect(instant('2026-11-23T13:03:22.018Z', 'exact', 'en-GB', 'Europe/London')).toBe('23 Nov 2026, 13:03:22.018 GMT');
  expect(instant('2026-11-23T13:03:22.018Z', 'day and time', 'en-GB', 'Europe/London')).toBe('23 Nov, 13:03');
});

test.each([
  [-5, '0 ms'],
  [412, '412 ms'],
  [1_990, '1.9 s'],
  [59_999, '59 s'],
  [192_000, '3 min 12 s'],
  [7_200_000, '2 h'],
  [187_200_000, '2 d 4 h'],
])('%d ms take %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('a stopwatch shows hours when there are some', () => {
  expect([0, 61_000, 3_847_000].map(stopwatch)).toEqual(['0:00', '1:01', '1:04:07']);
});

test('how long ago, and in how long', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect(['2026-11-23T11:59:59.500Z', '2026-11-23T11:59:48Z', '2026-11-23T14:10:00Z'].map((at) => ago(at, now))).toEqual([
    'now',
    '12 s ago',
    'in 2 h',
  ]);
});

test('ids are shortened, numbers of orders are not', () => {
  expect(shortId('0198a2f1-77c1-7cc0-9d0e-0c2f5b0c1a2b')).toBe('0198a2f1…');
  expect(shortId('A-1042')).toBe('A-1042');
});

test('counts and sizes', () => {
  expect([plural(1, 'event'), plural(2, 'event'), plural(0, 'reply', 'replies')]).toEqual(['1 event', '2 events', '0 replies']);
  expect([bytes(312), bytes(48_200), bytes(3_100_000)]).toEqual(['312 B', '48.2 kB', '3.1 MB']);
});
