import { expect, test } from '@jest/globals';
import { fixedClock } from './fixed-clock.ts';

test('a fixed clock stands still until it is moved', () => {
  const clock = fixedClock('2026-05-01T12:00:00Z');
  const first = clock.now();
  expect(clock.now()).toEqual(first);
  clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4.5 });
  expect(clock.now().toISOString()).toBe('2026-05-02T14:03:04.500Z');
  clock.advance({ minutes: -3 });
  expect(clock.now().toISOString()).toBe('2026-05-02T14:00:04.500Z');
  clock.set('2026-10-25T01:30:00+01:00');
  expect(clock.now().toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(first.toISOString()).toBe('2026-05-01T12:00:00.000Z');
});

test('a string that is not an instant is rejected', () => {
  expect(() => fixedClock('yesterday')).toThrow(RangeError);
});
