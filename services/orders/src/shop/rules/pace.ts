import type { PaceQuarter } from '@corner/contracts';
import { type Pace, type PacedStore, quarterMs, quarterOf, quartersToday, quartersWithin, usualCapacity } from './slots.ts';

/** Quarters of which staff see how full they are: two hours. */
const shownQuarters = 8;

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
