import type { Floor, Party, Service, Span } from './floor.ts';
import { freeGaps } from './free-gaps.ts';

/** A place in a chair; `to` includes the minutes the chair needs after the service. */
export interface Place extends Span {
  readonly chairId: string;
}

/**
 * Places everybody in the order given, each of a party in the earliest gap that fits the service and its buffer, on the chair
 * they wish or on any that offers it; ties go to the chair that comes first. Answers the places of each party, the first
 * member's first; null where somebody of it fits nowhere, and then the party takes nobody's time. Who comes earlier in the
 * order is never moved by who comes later.
 */
export function placeParties(floor: Floor, parties: readonly Party[]): (readonly Place[] | null)[] {
  const gaps = freeGaps(floor);
  return parties.map((party) => placeParty(floor, gaps, party));
}

/** Minutes to wait until an instant, begun ones counted whole. */
export const minutesUntil = (now: number, start: number): number => Math.ceil((start - now) / 60_000);

function placeParty(floor: Floor, gaps: Span[][], { serviceId, chairId, size }: Party): readonly Place[] | null {
  const service = serviceOf(floor, serviceId);
  if (!service) return null;
  const before = new Map<number, Span[]>();
  const places: Place[] = [];
  for (let member = 0; member < size; member += 1) {
    const found = earliest(floor, gaps, service, chairId);
    if (!found) {
      for (const [chair, was] of before) gaps[chair] = was;
      return null;
    }
    const was = gaps[found.chair] as Span[];
    if (!before.has(found.chair)) before.set(found.chair, was);
    gaps[found.chair] = take(was, found.gap, found.place);
    places.push(found.place);
  }
  return places;
}

/** The service somebody is there for: the one they asked for, else the store's first. */
export const serviceOf = ({ services }: Pick<Floor, 'services'>, id: string | null): Service | undefined =>
  id === null ? services[0] : services.find((service) => service.id === id);

interface Found {
  readonly chair: number;
  readonly gap: number;
  readonly place: Place;
}

function earliest(floor: Floor, gaps: readonly Span[][], service: Service, chairId: string | null): Found | null {
  const need = (service.minutes + service.bufferMinutes) * 60_000;
  let best: Found | null = null;
  for (const [chair, { id, serviceIds }] of floor.chairs.entries()) {
    if ((chairId !== null && chairId !== id) || !serviceIds.includes(service.id)) continue;
    const free = gaps[chair] as readonly Span[];
    const gap = free.findIndex(({ from, to }) => from + need <= to);
    const from = free[gap]?.from ?? floor.closesAt;
    if (from < (best?.place.from ?? floor.closesAt)) best = { chair, gap, place: { chairId: id, from, to: from + need } };
  }
  return best;
}

/** The gap without its beginning, which the place has taken. The array is made anew: the one before may have to come back. */
const take = (gaps: readonly Span[], at: number, { to }: Place): Span[] => {
  const rest = gaps.slice();
  const { to: end } = rest[at] as Span;
  rest.splice(at, 1, ...(to < end ? [{ from: to, to: end }] : []));
  return rest;
};
