import type { Chair, Floor, Occupied, Party, Span } from '../floor.ts';

export const minute = 60_000;

export const span = (from: number, to: number): Span => ({ from: from * minute, to: to * minute });

export const booked = (chairId: string, from: number, to: number, started = false): Occupied => ({
  chairId,
  ...span(from, to),
  started,
  entryId: null,
});

/** A chair that offers both services and works from minute 0 to 240. */
export const chair = (id: string, more: Partial<Chair> = {}): Chair => ({
  id,
  name: id,
  serviceIds: ['cut', 'beard'],
  shifts: [span(0, 240)],
  breaks: [],
  ...more,
});

/** A floor at minute 0 that never closes, with chairs A and B and the services cut (25 + 5 minutes) and beard (15 minutes). */
export const testFloor = (more: Partial<Floor> = {}): Floor => ({
  now: 0,
  closesAt: Number.POSITIVE_INFINITY,
  services: [
    { id: 'cut', name: 'Cut', minutes: 25, bufferMinutes: 5 },
    { id: 'beard', name: 'Beard', minutes: 15, bufferMinutes: 0 },
  ],
  chairs: [chair('A'), chair('B')],
  occupied: [],
  closures: [],
  ...more,
});

export const party = (serviceId: string | null, size = 1, chairId: string | null = null): Party => ({ serviceId, chairId, size });

const lasting = (from: number, length: number): Span => span(from, from + length);
const some = <T>(random: Random, below: number, make: () => T): T[] => Array.from({ length: random(below) }, make);

export function randomFloor(random: Random): Floor {
  const services = Array.from({ length: 1 + random(3) }, (_, index) => ({
    id: `s${index}`,
    name: `Service ${index}`,
    minutes: 5 + random(50),
    bufferMinutes: random(3) * 5,
  }));
  const chairs = Array.from({ length: 1 + random(4) }, (_, index) => ({
    id: `c${index}`,
    name: `Chair ${index}`,
    serviceIds: services.filter(() => random(4) > 0).map(({ id }) => id),
    shifts: some(random, 4, () => lasting(random(200) - 60, 30 + random(180))),
    breaks: some(random, 3, () => lasting(random(240), 5 + random(30))),
  }));
  const occupied = some(random, 8, () => ({
    chairId: `c${random(chairs.length)}`,
    ...lasting(random(280) - 60, 5 + random(60)),
    started: random(3) === 0,
    entryId: null,
  }));
  return {
    now: 0,
    closesAt: random(2) === 0 ? Number.POSITIVE_INFINITY : (60 + random(240)) * minute,
    services,
    chairs,
    occupied,
    closures: [],
  };
}

export const randomParty = (random: Random, { services, chairs }: Floor): Party => ({
  serviceId: random(3) === 0 ? null : `s${random(services.length)}`,
  chairId: random(3) === 0 ? `c${random(chairs.length)}` : null,
  size: 1 + (random(4) === 0 ? random(4) : 0),
});

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
