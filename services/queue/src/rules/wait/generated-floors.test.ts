import { describe, expect, test } from '@jest/globals';
import type { Floor, Party } from './floor.ts';
import { type Seat, seatParties } from './seat-parties.ts';
import { randomFloor, randomParty, seeded } from './testing/test-floor.ts';

const min = 60_000;

describe('on 20,000 generated floors', () => {
  const cases = Array.from({ length: 20_000 }, (_, seed) => {
    const random = seeded(seed + 1);
    const floor = randomFloor(random);
    return {
      seed,
      floor,
      parties: Array.from({ length: 1 + random(7) }, () => randomParty(random, floor)),
      more: randomParty(random, floor),
    };
  });

  test('a party that joins never changes the seats of the parties ahead', () => {
    const wrong = cases.filter(({ floor, parties, more }) => {
      const before = seatParties(floor, parties);
      return JSON.stringify(seatParties(floor, [...parties, more]).slice(0, -1)) !== JSON.stringify(before);
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('no seat overlaps another seat, a break or a booking, lies outside a shift, or is on a chair without the service', () => {
    const wrong = cases.filter(({ floor, parties }) => faultOf(floor, parties, seatParties(floor, parties)) !== null);
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('a party that fits nowhere does not affect the others', () => {
    const wrong = cases.filter(({ floor, parties }) => {
      const all = seatParties(floor, parties);
      const fitting = parties.filter((_, index) => all[index] !== null);
      return JSON.stringify(seatParties(floor, fitting)) !== JSON.stringify(all.filter((seats) => seats !== null));
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('no party could have been seated earlier, by a search through every earlier minute', () => {
    const wrong = cases.filter(({ floor, more }) => {
      const alone = { ...more, size: 1 };
      const seat = seatParties(floor, [alone])[0]?.[0];
      const end = seat?.from ?? Math.min(floor.closesAt, floor.now + 300 * min);
      for (let at = floor.now; at < end; at += min) if (someChairFree(floor, alone, at)) return true;
      return false;
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });
});

const overlap = (a: { from: number; to: number }, b: { from: number; to: number }) => a.from < b.to && b.from < a.to;

/** Written without the rule's code, so that it can check it. */
function free(floor: Floor, seat: Seat): boolean {
  const { breaks = [], shifts = [] } = floor.chairs.find(({ id }) => id === seat.chairId) ?? {};
  const within = (at: number) => shifts.some(({ from, to }) => from <= at && at < to);
  for (let at = seat.from; at < seat.to; at += min) if (!within(at)) return false;
  const busy = floor.occupied
    .filter(({ chairId }) => chairId === seat.chairId)
    .map(({ from, to, started }) => ({ from, to: started && to < floor.now + 5 * min ? floor.now + 5 * min : to }));
  return ![...breaks, ...busy].some((one) => overlap(one, seat));
}

const needOf = ({ services }: Floor, { serviceId }: Party) => {
  const service = serviceId === null ? services[0] : services.find(({ id }) => id === serviceId);
  return service && { id: service.id, need: (service.minutes + service.bufferMinutes) * min };
};

function someChairFree(floor: Floor, party: Party, at: number): boolean {
  const wanted = needOf(floor, party);
  if (!wanted) return false;
  return floor.chairs.some(
    ({ id, serviceIds }) =>
      (party.chairId ?? id) === id && serviceIds.includes(wanted.id) && free(floor, { chairId: id, from: at, to: at + wanted.need }),
  );
}

function faultOf(floor: Floor, parties: readonly Party[], placed: readonly (readonly Seat[] | null)[]): string | null {
  const all = placed.flatMap((seats) => seats ?? []);
  for (const [index, party] of parties.entries()) {
    const wanted = needOf(floor, party);
    for (const seat of placed[index] ?? []) {
      if (!wanted || seat.to - seat.from !== wanted.need) return 'length';
      if (seat.from < floor.now || seat.from >= floor.closesAt) return 'time';
      if (party.chairId !== null && party.chairId !== seat.chairId) return 'preference';
      if (!floor.chairs.find(({ id }) => id === seat.chairId)?.serviceIds.includes(wanted.id)) return 'service';
      if (!free(floor, seat)) return 'busy';
      if (all.some((other) => other !== seat && other.chairId === seat.chairId && overlap(other, seat))) return 'shared';
    }
    if (placed[index] && placed[index].length !== party.size) return 'size';
  }
  return null;
}
