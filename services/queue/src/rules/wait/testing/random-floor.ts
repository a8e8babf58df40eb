import type { Floor, Party } from '../floor.ts';

const minute = 60_000;
const span = (from: number, length: number) => ({ from: from * minute, to: (from + length) * minute });
const some = <T>(random: Random, below: number, make: () => T): T[] => Array.from({ length: random(below) }, make);

/** Returns a random floor: a few chairs, shifts that begin late, end early or are missing, and bookings that may overlap. */
export function randomFloor(random: Random): Floor {
  const services = Array.from({ length: 1 + random(3) }, (_, index) => ({
    id: `s${index}`,
    minutes: 5 + random(50),
    bufferMinutes: random(3) * 5,
  }));
  const chairs = Array.from({ length: 1 + random(4) }, (_, index) => ({
    id: `c${index}`,
    serviceIds: services.filter(() => random(4) > 0).map(({ id }) => id),
    shifts: some(random, 4, () => span(random(200) - 60, 30 + random(180))),
    breaks: some(random, 3, () => span(random(240), 5 + random(30))),
  }));
  const occupied = some(random, 8, () => ({
    chairId: `c${random(chairs.length)}`,
    ...span(random(280) - 60, 5 + random(60)),
    started: random(3) === 0,
  }));
  return { now: 0, closesAt: random(2) === 0 ? Number.POSITIVE_INFINITY : (60 + random(240)) * minute, services, chairs, occupied };
}

/** Returns a random party. It may prefer a chair, and may ask for a service that no chair offers. */
export const randomParty = (random: Random, { services, chairs }: Floor): Party => ({
  serviceId: random(3) === 0 ? null : `s${random(services.length)}`,
  chairId: random(3) === 0 ? `c${random(chairs.length)}` : null,
  size: 1 + (random(4) === 0 ? random(4) : 0),
});

/** Returns a whole number from 0 up to, and without, `below`. */
export type Random = (below: number) => number;

/** Returns a small random generator (mulberry32). The same seed gives the same numbers, so a failing case can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
