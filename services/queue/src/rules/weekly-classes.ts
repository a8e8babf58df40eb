import type { weeklyClassDayStates } from '@corner/contracts';
import { daysFrom, expandSpan, overlap } from '@corner/contracts/expand-template';
import type { Span } from './wait/floor.ts';

/** Today included: for as many days the directory publishes the shifts of chairs. */
export const daysAhead = 14;

export const mostWeeklyClasses = 100;

/** Returns the days ahead on which the week has a class that has not begun. They ask the zone for the instant of `begins`. */
function planned({ days, begins, from_date, until_date, ended }: Week, { timeZone, now }: StoreNow): readonly Planned[] {
  if (ended) return [];
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return daysFrom(today, daysAhead, timeZone)
    .filter((day) => from_date <= day.toString() && (until_date === null || day.toString() <= until_date))
    .flatMap((day) => expandSpan({ days, from: begins, to: begins }, [day], timeZone).map(({ from }) => ({ day: day.toString(), from })))
    .filter(({ from }) => from > now);
}

/** Returns the days ahead, in order: those that have a class, and those that lack one, `not_free` unless the store is closed. */
export function aheadOf(week: WeekWithDays, store: StoreNow): readonly Ahead[] {
  const made = week.made.filter(({ starts_at }) => Date.parse(starts_at) > store.now);
  const lacking = planned(week, store).filter(({ day }) => !week.made.some((one) => one.day === day));
  return [
    ...made.map(({ day, id, starts_at, taken, state }) => ({ day, from: Date.parse(starts_at), session_id: id, taken, state })),
    ...lacking.map(({ day, from }) => ({ day, from, session_id: null, taken: 0, state: stateWithout(week, from, store) })),
  ].toSorted((a, b) => a.from - b.from);
}

const stateWithout = ({ minutes }: Week, from: number, { closures }: StoreNow) => {
  const span = { from, to: from + minutes * 60_000 };
  return closures.some((closure) => overlap(closure, span)) ? ('closed' as const) : ('not_free' as const);
};

/**
 * Compares the classes ahead with the week as it is now: those that no one has booked and staff have not changed are to move to
 * `from`, or to end when that is null; the others are kept.
 */
export function compareWeek<D extends MadeDay>(week: Week & { readonly made: readonly D[] }, store: StoreNow): Comparison<D> {
  const plan = planned(week, store);
  const unlike = week.made
    .filter(({ state, starts_at }) => state === 'open' && Date.parse(starts_at) > store.now)
    .map((made) => ({ made, from: plan.find(({ day }) => day === made.day)?.from ?? null }))
    .filter(({ made, from }) => from === null || isUnlike(made, week, from));
  const isFree = ({ made }: { readonly made: D }) => made.taken === 0 && !made.changed_by_staff;
  const changing = unlike
    .filter(isFree)
    .map(({ made, from }) => ({ made, from: from !== null && stateWithout(week, from, store) === 'closed' ? null : from }));
  return { changing, kept: unlike.filter((one) => !isFree(one)).map(({ made }) => made) };
}

const isUnlike = ({ starts_at, ends_at, places, unit_id }: MadeDay, week: Week, from: number): boolean =>
  Date.parse(starts_at) !== from ||
  Date.parse(ends_at) !== from + week.minutes * 60_000 ||
  places !== week.places ||
  (week.unit_id !== null && unit_id !== week.unit_id);

interface Week {
  readonly unit_id: string | null;
  readonly days: readonly number[];
  readonly begins: string;
  readonly minutes: number;
  readonly places: number;
  readonly from_date: string;
  readonly until_date: string | null;
  readonly ended: boolean;
}

interface MadeDay {
  readonly id: string;
  readonly day: string;
  readonly unit_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly places: number;
  readonly taken: number;
  readonly state: 'open' | 'done' | 'cancelled';
  readonly changed_by_staff: boolean;
}

interface WeekWithDays extends Week {
  readonly made: readonly MadeDay[];
}

interface StoreNow {
  readonly timeZone: string;
  readonly closures: readonly Span[];
  /** Epoch milliseconds. */
  readonly now: number;
}

interface Planned {
  readonly day: string;
  readonly from: number;
}

interface Ahead extends Planned {
  readonly session_id: string | null;
  readonly taken: number;
  readonly state: (typeof weeklyClassDayStates)[number];
}

interface Comparison<D> {
  readonly changing: readonly { readonly made: D; readonly from: number | null }[];
  readonly kept: readonly D[];
}

export const storeNow = ({ timeZone, floor }: { readonly timeZone: string; readonly floor: Omit<StoreNow, 'timeZone'> }): StoreNow => ({
  timeZone,
  closures: floor.closures,
  now: floor.now,
});

interface ViewedWeek extends WeekWithDays {
  readonly id: string;
  readonly store_id: string;
  readonly service_id: string;
  readonly service_name: string | null;
  readonly unit_name: string | null;
}

export const weeklyClassView = ({ id, begins, made, ...week }: ViewedWeek, store: StoreNow) => ({
  ...week,
  weekly_class_id: id,
  days: [...week.days],
  from: begins,
  ahead: aheadOf({ ...week, begins, made }, store).map(({ from, ...day }) => ({ ...day, starts_at: new Date(from).toISOString() })),
});

export const keptView = ({ id, starts_at, taken }: Pick<MadeDay, 'id' | 'starts_at' | 'taken'>) => ({ session_id: id, starts_at, taken });
