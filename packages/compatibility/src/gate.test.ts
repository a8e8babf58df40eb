import { expect, test } from '@jest/globals';
import { allowedBreaks, breaksOf, movedSinceReleases, nextSurfaces, readReleases } from './gate.ts';

const moved = movedSinceReleases();

test('every service can be deployed alone, beside the last releases of the others and of itself', () => {
  const allowed = allowedBreaks.map((one) => one.break).filter((one) => !moved.includes(one));
  expect(breaksOf(nextSurfaces(), readReleases())).toEqual([...allowed].sort());
});

test('no field of an event or RPC means something else than the last release says, and no problem has another status', () => {
  expect(moved).toEqual(moved.filter((one) => allowedBreaks.some((allowed) => allowed.break === one)));
});

test('the services, the gateway and the console of one checkout understand each other', () => {
  const next = nextSurfaces();
  expect(breaksOf(next, Object.fromEntries(next.map((one) => [one.service, [one]])))).toEqual([]);
});
