import { expect, test } from '@jest/globals';
import { seatsFromNow } from './seats-from-now.ts';
import { booked, minute, party, testFloor } from './testing/test-floor.ts';

const seats = (...args: Parameters<typeof seatsFromNow>) => seatsFromNow(...args).map(({ chairId, from }) => `${from / minute} ${chairId}`);
const refusal = (code: string) => expect.objectContaining({ code });

test('the chair the staff name comes before the preferred chair, and the preferred chair before any other', () => {
  expect(seats(testFloor(), party('cut'), null)).toEqual(['0 A']);
  expect(seats(testFloor(), party('cut', 1, 'B'), null)).toEqual(['0 B']);
  expect(seats(testFloor(), party('cut', 1, 'B'), 'A')).toEqual(['0 A']);
});

test('the rest of a party sits on any chair when the staff name one, and on the preferred chair otherwise', () => {
  expect(seats(testFloor(), party('cut', 3, 'A'), 'B')).toEqual(['0 B', '0 A', '30 A']);
  expect(seats(testFloor(), party('cut', 2, 'A'), null)).toEqual(['0 A', '30 A']);
});

test('staff may seat a party after closing', () => expect(seats(testFloor({ closesAt: -minute }), party('cut'), null)).toEqual(['0 A']));

test('a chair that is free only later is refused with NO_CAPACITY_TODAY', () => {
  const floor = testFloor({ occupied: [booked('A', 0, 10), booked('B', 20, 60)] });
  expect(() => seatsFromNow(floor, party('cut'), null)).toThrow(refusal('NO_CAPACITY_TODAY'));
});

test('a party whose other members find no chair is refused as a whole', () => {
  expect(() => seatsFromNow(testFloor(), party('cut', 20), null)).toThrow(refusal('NO_CAPACITY_TODAY'));
});

test('a chair the store does not have is refused with UNIT_NOT_FOUND', () => {
  expect(() => seatsFromNow(testFloor(), party('cut'), 'Z')).toThrow(refusal('UNIT_NOT_FOUND'));
});
