import type { Chair, Floor, Occupied, Party, Span } from '../floor.ts';

export const minute = 60_000;

/** A span between two times given in minutes. */
export const span = (from: number, to: number): Span => ({ from: from * minute, to: to * minute });

/** A booking on a chair, its times in minutes. */
export const booked = (chairId: string, from: number, to: number, started = false): Occupied => ({ chairId, ...span(from, to), started });

/** A chair that offers both services and works from minute 0 to 240. */
export const chair = (id: string, more: Partial<Chair> = {}): Chair => ({
  id,
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
    { id: 'cut', minutes: 25, bufferMinutes: 5 },
    { id: 'beard', minutes: 15, bufferMinutes: 0 },
  ],
  chairs: [chair('A'), chair('B')],
  occupied: [],
  ...more,
});

export const party = (serviceId: string | null, size = 1, chairId: string | null = null): Party => ({ serviceId, chairId, size });
