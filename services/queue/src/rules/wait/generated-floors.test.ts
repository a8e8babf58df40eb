import { describe, expect, test } from '@jest/globals';
import type { Floor, Party } from './floor.ts';
import { type Place, placeParties } from './place-parties.ts';
import { seeded } from './testing/seeded.ts';
import { somebody, someFloor } from './testing/some-floor.ts';

const min = 60_000;

describe('on 20,000 floors made up', () => {
  const cases = Array.from({ length: 20_000 }, (_, seed) => {
    const random = seeded(seed + 1);
    const floor = someFloor(random);
    return { seed, floor, parties: Array.from({ length: 1 + random(7) }, () => somebody(random, floor)), more: somebody(random, floor) };
  });

  test('a join never changes anyone ahead', () => {
    const wrong = cases.filter(({ floor, parties, more }) => {
      const before = placeParties(floor, parties);
      return JSON.stringify(placeParties(floor, [...parties, more]).slice(0, -1)) !== JSON.stringify(before);
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('nobody sits where another does, in a break, out of shift, in a booking, or on a chair that cannot', () => {
    const wrong = cases.filter(({ floor, parties }) => faultOf(floor, parties, placeParties(floor, parties)) !== null);
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('a party that fits nowhere is as if it were not there', () => {
    const wrong = cases.filter(({ floor, parties }) => {
      const all = placeParties(floor, parties);
      const fitting = parties.filter((_, index) => all[index] !== null);
      return JSON.stringify(placeParties(floor, fitting)) !== JSON.stringify(all.filter((places) => places !== null));
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });

  test('nobody could have been placed earlier: every minute before is tried', () => {
    const wrong = cases.filter(({ floor, more }) => {
      const alone = { ...more, size: 1 };
      const place = placeParties(floor, [alone])[0]?.[0];
      const end = place?.from ?? Math.min(floor.closesAt, floor.now + 300 * min);
      for (let at = floor.now; at < end; at += min) if (someChairFree(floor, alone, at)) return true;
      return false;
    });
    expect(wrong.map(({ seed }) => seed)).toEqual([]);
  });
});

const overlap = (a: { from: number; to: number }, b: { from: number; to: number }) => a.from < b.to && b.from < a.to;

/** Written apart from the rule: whether a chair could take it at that minute. */
function free(floor: Floor, place: Place): boolean {
  const { breaks = [], shifts = [] } = floor.chairs.find(({ id }) => id === place.chairId) ?? {};
  const within = (at: number) => shifts.some(({ from, to }) => from <= at && at < to);
  for (let at = place.from; at < place.to; at += min) if (!within(at)) return false;
  const busy = floor.taken
    .filter(({ chairId }) => chairId === place.chairId)
    .map(({ from, to, started }) => ({ from, to: started && to < floor.now + 5 * min ? floor.now + 5 * min : to }));
  return ![...breaks, ...busy].some((one) => overlap(one, place));
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

function faultOf(floor: Floor, parties: readonly Party[], placed: readonly (readonly Place[] | null)[]): string | null {
  const all = placed.flatMap((places) => places ?? []);
  for (const [index, party] of parties.entries()) {
    const wanted = needOf(floor, party);
    for (const place of placed[index] ?? []) {
      if (!wanted || place.to - place.from !== wanted.need) return 'length';
      if (place.from < floor.now || place.from >= floor.closesAt) return 'time';
      if (party.chairId !== null && party.chairId !== place.chairId) return 'wish';
      if (!floor.chairs.find(({ id }) => id === place.chairId)?.serviceIds.includes(wanted.id)) return 'able';
      if (!free(floor, place)) return 'busy';
      if (all.some((other) => other !== place && other.chairId === place.chairId && overlap(other, place))) return 'shared';
    }
    if (placed[index] && placed[index].length !== party.size) return 'size';
  }
  return null;
}
