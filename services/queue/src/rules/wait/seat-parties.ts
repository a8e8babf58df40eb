import { Problem } from '@corner/contracts';
import type { Floor, Party, Service, Span } from './floor.ts';
import { freeGaps } from './free-gaps.ts';

/**
 * Seats all parties in the given order. Each member gets the earliest gap that fits the service and its buffer, on the preferred chair or on
 * any that offers the service; ties go to the chair that comes first. Returns the seats of each party, the first member's first, or null
 * when one of its members fits nowhere; such a party takes no time from others. A party never moves the parties before it.
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

/** Returns the service with the id, or the store's first service when the id is null; undefined when the store does not offer it. */
export const serviceOf = ({ services }: Pick<Floor, 'services'>, id: string | null): Service | undefined =>
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

/** Returns the gaps without the time of a seat that begins where gap number `index` begins. The array is copied, since the original may be restored. */
function withoutSeat(gaps: readonly Span[], index: number, seat: Seat): Span[] {
  const rest = gaps.slice();
  const { to } = rest[index] as Span;
  rest.splice(index, 1, ...(seat.to < to ? [{ from: seat.to, to }] : []));
  return rest;
}

/** Returns the minutes from `now` until `start`, rounded up. */
export const minutesUntil = (now: number, start: number): number => Math.ceil((start - now) / 60_000);

/**
 * Returns the wait, in minutes, of a party that joins behind all of `ahead`. Throws SERVICE_NOT_FOUND and UNIT_NOT_FOUND when the store
 * does not have the requested service or chair, and NO_CAPACITY_TODAY when the day has no room left.
 */
export function quoteWait(floor: Floor, ahead: readonly Party[], party: Party): number {
  if (party.serviceId !== null && !serviceOf(floor, party.serviceId)) throw new Problem('SERVICE_NOT_FOUND');
  if (party.chairId !== null && !floor.chairs.some(({ id }) => id === party.chairId)) throw new Problem('UNIT_NOT_FOUND');
  const first = seatParties(floor, [...ahead, party]).at(-1)?.[0];
  if (!first) throw new Problem('NO_CAPACITY_TODAY');
  return minutesUntil(floor.now, first.from);
}

/**
 * Returns the seats of a party whose first member sits down now, on the chair the staff name (`unitId`), else on the one the party prefers,
 * else on any. Staff may seat a party after closing. Throws UNIT_NOT_FOUND when the store has no such chair, and NO_CAPACITY_TODAY when no
 * such chair is free for as long as the service takes.
 */
export function seatsFromNow(floor: Floor, party: Party, unitId: string | null): readonly Seat[] {
  if (unitId !== null && !floor.chairs.some(({ id }) => id === unitId)) throw new Problem('UNIT_NOT_FOUND');
  const open = { ...floor, closesAt: Number.POSITIVE_INFINITY };
  const [first] = seatParties(open, [{ ...party, size: 1, chairId: unitId ?? party.chairId }])[0] ?? [];
  if (!first || first.from > floor.now) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair for this is free from now.' });
  if (party.size === 1) return [first];
  // The staff's choice of chair holds for the first member alone.
  const rest = { ...party, size: party.size - 1, chairId: unitId === null ? party.chairId : null };
  const [others] = seatParties({ ...open, occupied: [...floor.occupied, { ...first, started: false }] }, [rest]);
  if (!others) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair is left for the rest of the party.' });
  return [first, ...others];
}

/** A span in a chair; `to` includes the minutes the chair needs after the service. */
export interface Seat extends Span {
  readonly chairId: string;
}

/** Where a member would sit: the chair and the gap by their indexes. */
interface Choice {
  readonly chair: number;
  readonly gap: number;
  readonly seat: Seat;
}
