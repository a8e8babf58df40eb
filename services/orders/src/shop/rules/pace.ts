import type { DataOf, directoryStore, PaceQuarter } from '@corner/contracts';
import { endOfDay } from '@corner/contracts/opening-hours';
import type { Slot } from './slots.ts';
import { openingsOfWeek, type TakingOrders } from './taking-orders.ts';

export type Pace = NonNullable<DataOf<typeof directoryStore>['pace']>;

export interface PacedStore extends TakingOrders {
  /** Null for a store whose kitchen makes any number. */
  readonly pace: Pace | null;
}

interface MadeItem {
  readonly id: string;
  readonly kind: 'item' | 'choice';
  readonly make_minutes?: number | null;
}

/** What a part of an order takes from the kitchen: so many units, from the first of these quarters that have room. */
export interface WantedPace {
  readonly order_id: string;
  readonly units: number;
  readonly prep_minutes: number;
  readonly quarters: readonly string[];
  /** The quarter that the customer was shown; null where none was. */
  readonly expected: string | null;
  readonly refusal: 'NO_CAPACITY_TODAY' | 'SLOT_JUST_FILLED';
}

const quarterMs = 900_000;
/** Quarters of which staff see how full they are: two hours. */
const shownQuarters = 8;

export const usualCapacity = ({ max_items, make_minutes }: Pace): number => max_items ?? make_minutes ?? 0;

/** Returns how much of the kitchen's pace units of items and choices take: items, or minutes of making. */
export const unitsToMake = ({ make_minutes: inMinutes }: Pace, units: ReadonlyMap<string, number>, items: readonly MadeItem[]): number =>
  items.reduce((sum, { id, kind, make_minutes }) => {
    const one = kind === 'item' ? 1 : 0;
    return sum + (units.get(id) ?? 0) * (inMinutes === undefined ? one : (make_minutes ?? one));
  }, 0);

/** Returns the start of the quarter of an hour that an instant is in. */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** Returns the quarters of a slot that are not over. */
export const quartersOfSlot = ({ starts_at, ends_at }: Pick<Slot, 'starts_at' | 'ends_at'>, now: Date): readonly string[] =>
  quartersWithin(Math.max(Date.parse(starts_at), now.getTime()), Date.parse(ends_at));

/** Returns the quarters of today in which a store is open, from this one on. */
export function quartersToday(store: TakingOrders, now: Date): readonly string[] {
  const until = endOfDay(store.hours, store.time_zone, now.getTime());
  const openings = openingsOfWeek(store, now).flatMap(({ starts_at, ends_at }) =>
    quartersWithin(Math.max(Date.parse(starts_at), now.getTime()), Math.min(Date.parse(ends_at), until)),
  );
  return [...new Set(openings)];
}

function quartersWithin(from: number, until: number): string[] {
  const first = quarterOf(new Date(from)).getTime();
  const count = Math.max(0, Math.ceil((until - first) / quarterMs));
  return Array.from({ length: from < until ? count : 0 }, (_, n) => new Date(first + n * quarterMs).toISOString());
}

/** Returns the span of the quarters that staff see. */
export const shownSpan = (now: Date): { readonly from: Date; readonly until: Date } => {
  const from = quarterOf(now);
  return { from, until: new Date(from.getTime() + shownQuarters * quarterMs) };
};

/** A span that has the rest of a store's day, also where it closes after midnight. */
export const restOfDay = (now: Date): { readonly from: Date; readonly until: Date } => ({
  from: quarterOf(now),
  until: new Date(now.getTime() + 36 * 3_600_000),
});

type QuarterView = (typeof PaceQuarter)['_zod']['input'];

/** Returns how full each quarter is: those that nothing was taken from yet are empty. */
export const paceQuarters = (pace: Pace, starts: readonly string[], known: readonly QuarterView[]): QuarterView[] =>
  starts.map((starts_at) => {
    const found = known.find((quarter) => Date.parse(quarter.starts_at) === Date.parse(starts_at));
    return { ...(found ?? { taken: 0, by_staff: false }), starts_at, capacity: found?.by_staff ? found.capacity : usualCapacity(pace) };
  });

/** Returns the quarters that staff see. */
export const shownQuartersOf = (pace: Pace, known: readonly QuarterView[], now: Date): QuarterView[] => {
  const { from, until } = shownSpan(now);
  return paceQuarters(pace, quartersWithin(from.getTime(), until.getTime()), known);
};

/** Returns the first quarter of today with room; null when there is none. */
export const readyFrom = (store: PacedStore & { readonly pace: Pace }, known: readonly QuarterView[], now: Date): string | null =>
  paceQuarters(store.pace, quartersToday(store, now), known).find(({ taken, capacity }) => taken < capacity)?.starts_at ?? null;
