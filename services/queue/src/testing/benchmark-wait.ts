import type { Floor, Party, Span } from '../rules/wait/floor.ts';
import { quoteWait } from '../rules/wait/seat-parties.ts';

const minute = 60_000;
const opensFor = 720;

interface Size {
  readonly chairs: number;
  readonly bookings: number;
  readonly waiting: number;
}

/** The day has twelve hours. */
export function waitOfLastParty({ chairs, bookings, waiting }: Size): () => number {
  const span = (from: number, minutes: number): Span => ({ from: from * minute, to: (from + minutes) * minute });
  const idOf = (chair: number) => `chair-${chair % chairs}`;
  const floor: Floor = {
    now: 0,
    closesAt: opensFor * minute,
    services: [{ id: 'cut', name: 'Cut', minutes: 20, bufferMinutes: 5 }],
    chairs: Array.from({ length: chairs }, (_, i) => ({
      id: idOf(i),
      name: idOf(i),
      serviceIds: ['cut'],
      shifts: [span(0, opensFor)],
      breaks: [span(240 + (i % 4) * 30, 30)],
    })),
    occupied: Array.from({ length: bookings }, (_, i) => ({
      chairId: idOf(i),
      ...span(Math.floor(i / chairs) * 60 + (i % 7) * 5, 25),
      started: i < chairs / 2,
      entryId: null,
    })),
    closures: [],
  };
  const party: Party = { serviceId: 'cut', chairId: null, size: 1 };
  const ahead = Array.from({ length: waiting }, (_, i): Party => ({ ...party, chairId: i % 5 === 0 ? idOf(i) : null }));
  return () => quoteWait(floor, [ahead], party);
}
