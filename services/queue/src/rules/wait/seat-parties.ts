import { Problem } from '@corner/contracts';
import type { Chair, Floor, Occupied, Party, Service, Span } from './floor.ts';

/**
 * Seats the parties in order. Each member gets the earliest gap that fits service and buffer, on the preferred chair or any; ties go to the
 * first chair. Null for a party with a member that fits nowhere, which takes no time.
 */
export function seatParties(floor: Floor, parties: readonly Party[]): (readonly Seat[] | null)[] {
  const gaps = freeGaps(floor);
  return parties.map((party) => seatParty(floor, gaps, party));
}

/** Changes `gaps` only when the whole party fits. */
function seatParty(floor: Floor, gaps: Span[][], { serviceId, chairId, size }: Party): readonly Seat[] | null {
  const service = serviceOf(floor, serviceId);
  if (!service) return null;
  const original = new Map<number, Span[]>();
  const seats: Seat[] = [];
  for (let member = 0; member < size; member += 1) {
    const choice = earliest(floor, gaps, service, chairId);
    if (!choice) {
      for (const [chair, chairGaps] of original) gaps[chair] = chairGaps;
      return null;
    }
    const chairGaps = gaps[choice.chair] as Span[];
    if (!original.has(choice.chair)) original.set(choice.chair, chairGaps);
    gaps[choice.chair] = withoutSeat(chairGaps, choice.gap, choice.seat);
    seats.push(choice.seat);
  }
  return seats;
}

/** An id of null is the store's first service; undefined when the store does not offer it. */
const serviceOf = ({ services }: Pick<Floor, 'services'>, id: string | null): Service | undefined =>
  id === null ? services[0] : services.find((service) => service.id === id);

function earliest(floor: Floor, gaps: readonly Span[][], service: Service, chairId: string | null): Choice | null {
  const need = (service.minutes + service.bufferMinutes) * 60_000;
  let best: Choice | null = null;
  for (const [chair, { id, serviceIds }] of floor.chairs.entries()) {
    if ((chairId !== null && chairId !== id) || !serviceIds.includes(service.id)) continue;
    const free = gaps[chair] as readonly Span[];
    const gap = free.findIndex(({ from, to }) => from + need <= to);
    const from = free[gap]?.from ?? floor.closesAt;
    if (from < (best?.seat.from ?? floor.closesAt)) best = { chair, gap, seat: { chairId: id, from, to: from + need } };
  }
  return best;
}

/** Copies the array, since the original may be restored. */
function withoutSeat(gaps: readonly Span[], index: number, seat: Seat): Span[] {
  const rest = gaps.slice();
  const { to } = rest[index] as Span;
  rest.splice(index, 1, ...(seat.to < to ? [{ from: seat.to, to }] : []));
  return rest;
}

export const minutesUntil = (now: number, start: number): number => Math.ceil((start - now) / 60_000);

/**
 * Rounded down to the minute, so that while a chair is free the response stays equal for a minute and is not sent again to those who poll.
 */
export const startToTheMinute = ({ from }: Span): string => new Date(from - (from % 60_000)).toISOString();

/** Tries the plans in turn; undefined when none has room. */
export function firstSeat(floor: Floor, ahead: readonly (readonly Party[])[], party: Party): Seat | undefined {
  for (const parties of ahead) {
    const seats = seatParties(floor, [...parties, party]).at(-1);
    if (seats) return seats[0];
  }
  return undefined;
}

/** Throws SERVICE_NOT_FOUND, UNIT_NOT_FOUND and NO_CAPACITY_TODAY. */
export function quoteWait(floor: Floor, ahead: readonly (readonly Party[])[], party: Party): number {
  if (party.serviceId !== null && !serviceOf(floor, party.serviceId)) throw new Problem('SERVICE_NOT_FOUND');
  if (party.chairId !== null && !floor.chairs.some(({ id }) => id === party.chairId)) throw new Problem('UNIT_NOT_FOUND');
  const first = firstSeat(floor, ahead, party);
  if (!first) throw new Problem('NO_CAPACITY_TODAY');
  return minutesUntil(floor.now, first.from);
}

/**
 * Returns the seats of a party whose first member sits down now: on `unitId` (for that member alone), else the preferred chair, else any,
 * also while the store is closed. Throws UNIT_NOT_FOUND, and NO_CAPACITY_TODAY when no such chair is free for long enough.
 */
export function seatsFromNow(floor: Floor, party: Party, unitId: string | null): readonly Seat[] {
  if (unitId !== null && !floor.chairs.some(({ id }) => id === unitId)) throw new Problem('UNIT_NOT_FOUND');
  const open = { ...floor, closesAt: Number.POSITIVE_INFINITY, closures: [] };
  const [first] = seatParties(open, [{ ...party, size: 1, chairId: unitId ?? party.chairId }])[0] ?? [];
  if (!first || first.from > floor.now) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair for this is free from now.' });
  if (party.size === 1) return [first];
  const rest = { ...party, size: party.size - 1, chairId: unitId === null ? party.chairId : null };
  const [others] = seatParties({ ...open, occupied: [...floor.occupied, { ...first, started: false, entryId: null }] }, [rest]);
  if (!others) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair is left for the rest of the party.' });
  return [first, ...others];
}

/** Throws UNIT_NOT_FOUND, and NO_CAPACITY_TODAY for a chair without a shift from now on. Null is any chair. */
export function checkChair(floor: Floor, { serviceId, chairId }: Party): void {
  if (chairId === null) return;
  const chair = floor.chairs.find(({ id }) => id === chairId);
  const service = serviceOf(floor, serviceId);
  if (!chair) throw new Problem('UNIT_NOT_FOUND');
  if (service && !chair.serviceIds.includes(service.id))
    throw new Problem('UNIT_NOT_FOUND', { message: 'That chair does not offer the service.' });
  if (!chair.shifts.some(({ from, to }) => to > floor.now && from < floor.closesAt))
    throw new Problem('NO_CAPACITY_TODAY', { message: 'That chair has no shift for the rest of the day.' });
}

/** A chair that was left is free again if no one has been given it, or booked it, for the rest of the time. */
export const areStillFree = ({ occupied, now }: Floor, seats: readonly Seat[]): boolean =>
  seats.every((seat) =>
    occupied.every(({ chairId, from, to, started }) => chairId !== seat.chairId || (!started && (to <= now || from >= seat.to))),
  );

/** A span in a chair; `to` includes the minutes the chair needs after the service. */
export interface Seat extends Span {
  readonly chairId: string;
}

interface Choice {
  readonly chair: number;
  readonly gap: number;
  readonly seat: Seat;
}

/** How much longer a customer who overruns is expected to need, in milliseconds. */
const expectedOverrun = 5 * 60_000;

/** In the order of the chairs; the gaps of a chair are in order of time. */
export function freeGaps({ now, chairs, occupied, closures }: Floor): Span[][] {
  const byChair = Map.groupBy(occupied, ({ chairId }) => chairId);
  return chairs.map((chair) => gapsOf({ ...chair, breaks: [...chair.breaks, ...closures] }, byChair.get(chair.id) ?? [], now));
}

function gapsOf({ shifts, breaks }: Chair, occupied: readonly Occupied[], now: number): Span[] {
  const busy = [...breaks, ...occupied.map(({ from, to, started }) => ({ from, to: started ? Math.max(to, now + expectedOverrun) : to }))]
    .filter(({ to }) => to > now)
    .sort((a, b) => a.from - b.from);
  return merge(shifts).flatMap((shift) => subtract({ from: Math.max(shift.from, now), to: shift.to }, busy));
}

/** Merges shifts that touch or overlap, because a service may run from one into the next. */
function merge(shifts: readonly Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of shifts.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** `busy` is sorted by `from` and may overlap. */
function subtract({ from, to }: Span, busy: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let free = from;
  for (const span of busy) {
    if (span.from > free) gaps.push({ from: free, to: Math.min(span.from, to) });
    free = Math.max(free, span.to);
    if (free >= to) break;
  }
  gaps.push({ from: free, to });
  return gaps.filter((gap) => gap.from < gap.to);
}
