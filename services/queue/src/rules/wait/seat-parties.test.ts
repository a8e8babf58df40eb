import { describe, expect, test } from '@jest/globals';
import type { Floor, Occupied, Party } from './floor.ts';
import { minutesUntil, type Seat, seatParties } from './seat-parties.ts';

const min = 60_000;
const span = (from: number, to: number) => ({ from: from * min, to: to * min });
const booked = (chairId: string, from: number, to: number, started = false): Occupied => ({ chairId, ...span(from, to), started });
const chair = (id: string, more: Partial<Floor['chairs'][number]> = {}) => ({
  id,
  serviceIds: ['cut', 'beard'],
  shifts: [span(0, 240)],
  breaks: [],
  ...more,
});
const floorOf = (more: Partial<Floor> = {}): Floor => ({
  now: 0,
  closesAt: Number.POSITIVE_INFINITY,
  services: [
    { id: 'cut', minutes: 25, bufferMinutes: 5 },
    { id: 'beard', minutes: 15, bufferMinutes: 0 },
  ],
  chairs: [chair('A'), chair('B')],
  occupied: [],
  ...more,
});
const party = (serviceId: string | null, size = 1, chairId: string | null = null): Party => ({ serviceId, chairId, size });
/** Minutes to wait and the chair, of each party. */
const waits = (floor: Floor, parties: readonly Party[]) =>
  seatParties(floor, parties).map((seats) => {
    const first = seats?.[0];
    return first ? `${minutesUntil(floor.now, first.from)} ${first.chairId}` : null;
  });

describe('four who wait, among bookings', () => {
  const floor = floorOf({ occupied: [booked('A', -10, 20, true), booked('A', 60, 90), booked('B', 30, 60)] });
  const [e1, e2, e3, e4] = [party('cut'), party('cut', 2), party('beard', 1, 'B'), party('beard')];

  test('each gets the earliest gap that fits', () => {
    expect(waits(floor, [e1, e2, e3, e4])).toEqual(['0 B', '20 A', '90 B', '90 A']);
  });

  test('and they move up when the first one leaves', () => {
    expect(waits(floor, [e2, e3, e4])).toEqual(['0 B', '60 B', '75 B']);
  });
});

describe('a gap', () => {
  test('fits service and buffer exactly', () => {
    expect(waits(floorOf({ chairs: [chair('A')], occupied: [booked('A', 30, 60)] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(floorOf({ chairs: [chair('A')], occupied: [booked('A', 29, 60)] }), [party('cut')])).toEqual(['60 A']);
  });

  test('ends where the shift does, and a service fits before that or not at all', () => {
    expect(waits(floorOf({ chairs: [chair('A', { shifts: [span(0, 30)] })] }), [party('cut'), party('cut')])).toEqual(['0 A', null]);
    expect(waits(floorOf({ chairs: [chair('A', { shifts: [span(0, 29)] })] }), [party('cut'), party('beard')])).toEqual([null, '0 A']);
  });

  test('may run over two shifts that touch, not over a break', () => {
    const shifts = [span(20, 60), span(0, 20)];
    expect(waits(floorOf({ chairs: [chair('A', { shifts })] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(floorOf({ chairs: [chair('A', { shifts, breaks: [span(20, 25)] })] }), [party('cut')])).toEqual(['25 A']);
  });

  test('begins when a shift does, and the wait is in whole minutes', () => {
    const late = floorOf({ chairs: [chair('A', { shifts: [{ from: 90_001, to: 240 * min }] })] });
    expect(waits(late, [party('cut')])).toEqual(['2 A']);
  });

  test('comes before the store closes', () => {
    const closing = (closesAt: number) => floorOf({ closesAt: closesAt * min, chairs: [chair('A')], occupied: [booked('A', 0, 10)] });
    expect(waits(closing(11), [party('cut')])).toEqual(['10 A']);
    expect(waits(closing(10), [party('cut')])).toEqual([null]);
  });
});

describe('a booking', () => {
  const chairs = [chair('A')];
  test('that overruns keeps the chair five minutes more, each time one looks', () => {
    expect(waits(floorOf({ chairs, occupied: [booked('A', -60, -30, true)] }), [party('cut')])).toEqual(['5 A']);
    expect(waits(floorOf({ chairs, occupied: [booked('A', -60, 2, true)] }), [party('cut')])).toEqual(['5 A']);
    expect(waits(floorOf({ chairs, occupied: [booked('A', -60, 9, true)] }), [party('cut')])).toEqual(['9 A']);
  });

  test('that nobody came for takes no time after its end', () => {
    expect(waits(floorOf({ chairs, occupied: [booked('A', -60, 0)] }), [party('cut')])).toEqual(['0 A']);
    expect(waits(floorOf({ chairs, occupied: [booked('A', -60, 3)] }), [party('cut')])).toEqual(['3 A']);
  });

  test('inside another, or of a chair that is gone, changes nothing', () => {
    const occupied = [booked('A', 0, 60), booked('A', 10, 20), booked('Z', 0, 240)];
    expect(waits(floorOf({ chairs, occupied }), [party('cut')])).toEqual(['60 A']);
  });
});

describe('a party', () => {
  test('larger than the chairs sits down one after another', () => {
    const [seats] = seatParties(floorOf(), [party('cut', 5)]) as [readonly Seat[]];
    expect(seats.map(({ chairId, from }) => `${from / min} ${chairId}`)).toEqual(['0 A', '0 B', '30 A', '30 B', '60 A']);
  });

  test('that does not fit as a whole leaves its time to those behind', () => {
    const chairs = [chair('A', { shifts: [span(0, 60)] }), chair('B', { shifts: [span(0, 30)] })];
    expect(waits(floorOf({ chairs }), [party('cut', 4), party('cut', 2), party('cut')])).toEqual([null, '0 A', '30 A']);
  });
});

test('a wish for a chair waits for that chair, or for nobody when it is off or cannot do it', () => {
  const chairs = [chair('A'), chair('B'), chair('C', { shifts: [] }), chair('D', { serviceIds: ['beard'] })];
  const floor = floorOf({ chairs, occupied: [booked('B', 0, 45)] });
  expect(waits(floor, [party('cut', 1, 'B'), party('cut', 1, 'C'), party('cut', 1, 'D'), party('cut')])).toEqual([
    '45 B',
    null,
    null,
    '0 A',
  ]);
});

test('without a wish it is the store’s first service; one that is no longer offered fits nowhere', () => {
  const occupied = [booked('A', 20, 40), booked('B', 0, 50)];
  expect(waits(floorOf({ occupied }), [party(null), party('gone'), party('beard')])).toEqual(['40 A', null, '0 A']);
  expect(waits(floorOf({ services: [] }), [party(null)])).toEqual([null]);
});
