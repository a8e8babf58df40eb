import { isOpenAt, type Opening } from '@corner/contracts/opening-hours';
import type { Chair, Floor, Occupied, Service, Span } from './wait/floor.ts';
import { freeGaps } from './wait/seat-parties.ts';

/** Customers' bookings begin on a quarter of an hour. */
const stepMs = 15 * 60_000;

export interface BookableFloor extends Floor {
  readonly hours: readonly Opening[];
  readonly timeZone: string;
}

/**
 * Returns the quarter hours within `span` at which a service can begin, each with the chairs that are free throughout, by the gaps that
 * waits are quoted from. `chairId` null is any.
 */
export function freeTimes(floor: BookableFloor, service: Service, chairId: string | null, span: Span): readonly FreeTime[] {
  const byTime = new Map<number, string[]>();
  for (const { chair, gaps } of gapsOf(floor, service, chairId))
    for (const gap of gaps)
      for (const from of startsIn(gap, needOf(service), span)) byTime.set(from, [...(byTime.get(from) ?? []), chair.id]);
  return [...byTime]
    .filter(([from]) => isOpenAt(floor.hours, floor.timeZone, from))
    .map(([from, chairIds]) => ({ from, chairIds }))
    .sort((a, b) => a.from - b.from);
}

function startsIn(gap: Span, need: number, span: Span): readonly number[] {
  const first = Math.ceil(Math.max(gap.from, span.from) / stepMs) * stepMs;
  const last = Math.min(gap.to - need, span.to - 1);
  return first > last ? [] : Array.from({ length: Math.floor((last - first) / stepMs) + 1 }, (_, step) => first + step * stepMs);
}

export const isOffered = ({ hours, timeZone }: BookableFloor, from: number): boolean =>
  from % stepMs === 0 && isOpenAt(hours, timeZone, from);

/**
 * Returns a chair that is free from `from` for a service and its buffer: `preferred`, else the store's first. Null when none is free.
 * `chairId` allows one chair only; null is any.
 */
export function chairAt(floor: Floor, service: Service, from: number, { chairId, preferred = null }: WantedChair): string | null {
  const to = from + needOf(service);
  const free = gapsOf(floor, service, chairId).filter(({ gaps }) => gaps.some((gap) => gap.from <= from && to <= gap.to));
  return (free.find(({ chair }) => chair.id === preferred) ?? free[0])?.chair.id ?? null;
}

/**
 * Returns whether someone else has the chair in the rest of a time. A customer in the chair has it until they leave, whatever end the diary
 * gives.
 */
export const isTaken = (occupied: readonly Occupied[], { chairId, from, to, now }: Span & TakenTime): boolean =>
  occupied.some(
    (other) => other.chairId === chairId && other.from < to && (other.to > Math.max(from, now) || (other.started && from <= now)),
  );

function gapsOf(floor: Floor, service: Service, chairId: string | null): readonly ChairGaps[] {
  const gaps = freeGaps(floor);
  return floor.chairs.flatMap((chair, index) =>
    (chairId === null || chair.id === chairId) && chair.serviceIds.includes(service.id) ? [{ chair, gaps: gaps[index] ?? [] }] : [],
  );
}

export const needOf = ({ minutes, bufferMinutes }: Service): number => (minutes + bufferMinutes) * 60_000;

/** In epoch milliseconds; `from` null is the day of `now`. */
export function daysOf(
  timeZone: string,
  { from, days, now }: { readonly from: string | null; readonly days: number; readonly now: number },
) {
  const first =
    from === null ? Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate() : Temporal.PlainDate.from(from);
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { day: first.toString(), from: midnight(first), to: midnight(first.add({ days })) };
}

export interface FreeTime {
  readonly from: number;
  readonly chairIds: readonly string[];
}

interface WantedChair {
  readonly chairId: string | null;
  readonly preferred?: string | null;
}

interface TakenTime {
  readonly chairId: string;
  readonly now: number;
}

interface ChairGaps {
  readonly chair: Chair;
  readonly gaps: readonly Span[];
}
