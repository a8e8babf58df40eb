import { describe, expect, test } from '@jest/globals';
import type { Floor, Party } from './floor.ts';
import { minutesUntil, quoteWait, type Seat, seatParties, seatsFromNow } from './seat-parties.ts';
import { booked, chair, minute, party, span, testFloor } from './testing/test-floor.ts';

const waits = (floor: Floor, parties: readonly Party[]) =>
  seatParties(floor, parties).map((seats) => {
    const first = seats?.[0];
    return first ? `${minutesUntil(floor.now, first.from)} ${first.chairId}` : null;
  });

describe('four waiting parties between bookings', () => {
  const floor = testFloor({ occupied: [booked('A', -10, 20, true), booked('A', 60, 90), booked('B', 30, 60)] });
  const [e1, e2, e3, e4] = [party('cut'), party('cut', 2), party('beard', 1, 'B'), party('beard')];

  test('each get the earliest gap that fits', () => {
    expect(waits(floor, [e1, e2, e3, e4])).toEqual(['0 B', '20 A', '90 B', '90 A']);
  });

  test('move up when the first party leaves', () => {
    expect(waits(floor, [e2, e3, e4])).toEqual(['0 B', '60 B', '75 B']);
  });
});

describe('a gap in a chair’s time', () => {
  test('is used when the service and its buffer fit exactly', () => {
    expect(waits(testFloor({ chairs: [chair('A')], occupied: [booked('A', 30, 60)] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(testFloor({ chairs: [chair('A')], occupied: [booked('A', 29, 60)] }), [party('cut')])).toEqual(['60 A']);
  });

  test('ends with the shift, and a service that would run past that does not fit', () => {
    expect(waits(testFloor({ chairs: [chair('A', { shifts: [span(0, 30)] })] }), [party('cut'), party('cut')])).toEqual(['0 A', null]);
    expect(waits(testFloor({ chairs: [chair('A', { shifts: [span(0, 29)] })] }), [party('cut'), party('beard')])).toEqual([null, '0 A']);
  });

  test('spans two shifts that touch, and does not span a break', () => {
    const shifts = [span(20, 60), span(0, 20)];
    expect(waits(testFloor({ chairs: [chair('A', { shifts })] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(testFloor({ chairs: [chair('A', { shifts, breaks: [span(20, 25)] })] }), [party('cut')])).toEqual(['25 A']);
  });

  test('begins with the shift, and the wait is rounded up to whole minutes', () => {
    const late = testFloor({ chairs: [chair('A', { shifts: [{ from: 90_001, to: 240 * minute }] })] });
    expect(waits(late, [party('cut')])).toEqual(['2 A']);
  });

  test('must begin before the store closes', () => {
    const closing = (closesAt: number) => testFloor({ closesAt: closesAt * minute, chairs: [chair('A')], occupied: [booked('A', 0, 10)] });
    expect(waits(closing(11), [party('cut')])).toEqual(['10 A']);
    expect(waits(closing(10), [party('cut')])).toEqual([null]);
  });
});

describe('a booking in the diary', () => {
  const chairs = [chair('A')];
  test('that overruns occupies the chair for five more minutes, counted from now', () => {
    expect(waits(testFloor({ chairs, occupied: [booked('A', -60, -30, true)] }), [party('cut')])).toEqual(['5 A']);
    expect(waits(testFloor({ chairs, occupied: [booked('A', -60, 2, true)] }), [party('cut')])).toEqual(['5 A']);
    expect(waits(testFloor({ chairs, occupied: [booked('A', -60, 9, true)] }), [party('cut')])).toEqual(['9 A']);
  });

  test('whose customer never came takes no time after its end', () => {
    expect(waits(testFloor({ chairs, occupied: [booked('A', -60, 0)] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(testFloor({ chairs, occupied: [booked('A', -60, 3)] }), [party('cut')])).toEqual(['3 A']);
  });

  test('inside another booking, or on a chair that no longer exists, changes nothing', () => {
    const occupied = [booked('A', 0, 60), booked('A', 10, 20), booked('Z', 0, 240)];
    expect(waits(testFloor({ chairs, occupied }), [party('cut')])).toEqual(['60 A']);
  });
});

describe('a party of several', () => {
  test('larger than the number of chairs is seated one after another', () => {
    const [seats] = seatParties(testFloor(), [party('cut', 5)]) as [readonly Seat[]];
    expect(seats.map(({ chairId, from }) => `${from / minute} ${chairId}`)).toEqual(['0 A', '0 B', '30 A', '30 B', '60 A']);
  });

  test('that does not fit as a whole leaves its time to the parties behind', () => {
    const chairs = [chair('A', { shifts: [span(0, 60)] }), chair('B', { shifts: [span(0, 30)] })];
    expect(waits(testFloor({ chairs }), [party('cut', 4), party('cut', 2), party('cut')])).toEqual([null, '0 A', '30 A']);
  });
});

test('a party that prefers a chair gets that chair, or no seat when the chair is off or does not offer the service', () => {
  const chairs = [chair('A'), chair('B'), chair('C', { shifts: [] }), chair('D', { serviceIds: ['beard'] })];
  const floor = testFloor({ chairs, occupied: [booked('B', 0, 45)] });
  expect(waits(floor, [party('cut', 1, 'B'), party('cut', 1, 'C'), party('cut', 1, 'D'), party('cut')])).toEqual([
    '45 B',
    null,
    null,
    '0 A',
  ]);
});

test('a party without a service gets the store’s first service; a service that is no longer offered fits nowhere', () => {
  const occupied = [booked('A', 20, 40), booked('B', 0, 50)];
  expect(waits(testFloor({ occupied }), [party(null), party('gone'), party('beard')])).toEqual(['40 A', null, '0 A']);
  expect(waits(testFloor({ services: [] }), [party(null)])).toEqual([null]);
});

describe('quotes:', () => {
  const floor = testFloor({ chairs: [chair('A', { shifts: [span(0, 60)] })] });

  test('the wait is the time until the parties ahead are served', () => {
    expect(quoteWait(floor, [[]], party('cut'))).toBe(0);
    expect(quoteWait(floor, [[party('cut')]], party(null))).toBe(30);
  });

  test('a party that does not fit behind the others is refused with NO_CAPACITY_TODAY', () => {
    expect(() => quoteWait(floor, [[party('cut'), party('cut')]], party('cut'))).toThrow(
      expect.objectContaining({ code: 'NO_CAPACITY_TODAY' }),
    );
  });

  test('a service or chair the store does not have is refused by name', () => {
    expect(() => quoteWait(floor, [[]], party('dye'))).toThrow(expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }));
    expect(() => quoteWait(floor, [[]], party('cut', 1, 'Z'))).toThrow(expect.objectContaining({ code: 'UNIT_NOT_FOUND' }));
  });
});

describe('seats from now on:', () => {
  const seats = (...args: Parameters<typeof seatsFromNow>) =>
    seatsFromNow(...args).map(({ chairId, from }) => `${from / minute} ${chairId}`);

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
});
