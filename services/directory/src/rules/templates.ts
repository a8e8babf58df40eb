import type { DataOf, directoryFloor, directorySlots, SlotTemplateRow, WeeklySpan } from '@corner/contracts';

/** Days that are published ahead, today included. */
export const daysAhead = 14;

type Slot = DataOf<typeof directorySlots>['slots'][number];
type Unit = DataOf<typeof directoryFloor>['units'][number];
type Span = Unit['shifts'][number];

/** The part of a store that decides when its templates apply. */
export interface Calendar {
  readonly time_zone: string;
  readonly closures: readonly Span[];
}

/** Slots as they are kept: those with a date are exceptions to the template. */
export interface SlotsAsKept {
  readonly slots: readonly Slot[];
  readonly template: readonly SlotTemplateRow[];
}

/**
 * Returns a store's slots, the earliest first: those with a date as they are, and those that the template makes for the days ahead. A made
 * slot is left out once it has ended, and where it overlaps a closure or a slot with a date, or has its id. `idOf` derives an id from a start.
 */
export function expandSlots({ slots, template }: SlotsAsKept, calendar: Calendar, now: Date, idOf: (startsAt: string) => string): Slot[] {
  const ahead = aheadOf(calendar.time_zone, now);
  const taken = [...slots, ...calendar.closures].map(timesOf);
  const ids = new Set(slots.map(({ id }) => id));
  const all = template.flatMap((row) => ahead.days.filter(isOf(row)).flatMap((day) => slotsOn(day, row, calendar.time_zone)));
  const made = withoutOverlaps(all)
    .filter((slot) => overlap(slot, ahead) && !taken.some((other) => overlap(slot, other)))
    .map(({ capacity, ...times }) => {
      const span = spanOf(times);
      return { id: idOf(span.starts_at), ...span, capacity, open: true };
    })
    .filter(({ id }) => !ids.has(id));
  return [...slots, ...made].toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
}

/** A chair as it is kept. */
export interface UnitAsKept extends Unit {
  readonly weekly_shifts: readonly WeeklySpan[];
  readonly weekly_breaks: readonly WeeklySpan[];
}

/** Returns a chair with the shifts and breaks that its week makes for the days ahead, next to those with a date. Closures cut made shifts. */
export function expandUnit({ weekly_shifts, weekly_breaks, ...unit }: UnitAsKept, calendar: Calendar, now: Date): Unit {
  const ahead = aheadOf(calendar.time_zone, now);
  const made = (rows: readonly WeeklySpan[]): Times[] =>
    rows
      .flatMap((row) => ahead.days.filter(isOf(row)).map((day) => timesOn(day, row, calendar.time_zone)))
      .filter((times) => times.from < times.to && overlap(times, ahead))
      .toSorted((a, b) => a.from - b.from);
  const shifts = calendar.closures.map(timesOf).reduce(without, made(weekly_shifts));
  return {
    ...unit,
    shifts: [...unit.shifts, ...shifts.map(spanOf)],
    breaks: [...unit.breaks, ...made(weekly_breaks).map(spanOf)],
  };
}

/** Returns the first day that is not published ahead, as an ISO date. */
export const publishedUntil = (timeZone: string, now: Date): string => today(timeZone, now).add({ days: daysAhead }).toString();

/** The zone where each day begins first. */
const earliestZone = 'Pacific/Kiritimati';

/** Returns the latest day that {@link publishedUntil} returns in any zone. */
export const latestPublishedUntil = (now: Date): string => publishedUntil(earliestZone, now);

/** A start and an end in epoch milliseconds. */
interface Times {
  readonly from: number;
  readonly to: number;
}

interface MadeSlot extends Times {
  readonly capacity: number | null;
}

interface Ahead extends Times {
  /** Yesterday is one of them: its nights may last into today. */
  readonly days: readonly Temporal.PlainDate[];
}

function aheadOf(timeZone: string, now: Date): Ahead {
  const first = today(timeZone, now);
  return {
    from: now.getTime(),
    to: first.add({ days: daysAhead }).toZonedDateTime(timeZone).epochMilliseconds,
    days: Array.from({ length: daysAhead + 1 }, (_, index) => first.add({ days: index - 1 })).filter((day) => exists(day, timeZone)),
  };
}

const today = (timeZone: string, now: Date): Temporal.PlainDate => now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();

/** A zone that moves across the date line skips a whole day, as Samoa did on 30 December 2011: its times would fall on the day after. */
const exists = (day: Temporal.PlainDate, timeZone: string): boolean => day.toZonedDateTime(timeZone).toPlainDate().equals(day);

const isOf =
  ({ days }: WeeklySpan) =>
  ({ dayOfWeek }: Temporal.PlainDate): boolean =>
    days.includes(dayOfWeek);

/** A time that the clocks show twice is the first one; one that they skip is later by the time that they skip. */
const at = (wall: Temporal.PlainDateTime, timeZone: string): number => wall.toZonedDateTime(timeZone).epochMilliseconds;

const wallTimesOn = (day: Temporal.PlainDate, { from, to }: WeeklySpan) => ({
  from: day.toPlainDateTime(from),
  to: (to > from ? day : day.add({ days: 1 })).toPlainDateTime(to),
});

function timesOn(day: Temporal.PlainDate, row: WeeklySpan, timeZone: string): Times {
  const { from, to } = wallTimesOn(day, row);
  return { from: at(from, timeZone), to: at(to, timeZone) };
}

/** Slots begin at the same times of the clock every day, also when it changes: then two may begin at once, or one before another ends. */
function slotsOn(day: Temporal.PlainDate, row: SlotTemplateRow, timeZone: string): MadeSlot[] {
  const wall = wallTimesOn(day, row);
  const ends = at(wall.to, timeZone);
  const count = Math.floor(wall.from.until(wall.to).total('minutes') / row.every_minutes);
  return Array.from({ length: count }, (_, index) => {
    const from = at(wall.from.add({ minutes: index * row.every_minutes }), timeZone);
    return { from, to: from + row.every_minutes * 60_000, capacity: row.capacity };
  }).filter(({ to }) => to <= ends);
}

/** Keeps the earlier one of two slots that overlap. */
function withoutOverlaps(slots: readonly MadeSlot[]): MadeSlot[] {
  let taken = Number.NEGATIVE_INFINITY;
  return slots
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from, to }) => {
      if (from < taken) return false;
      taken = to;
      return true;
    });
}

const overlap = (a: Times, b: Times): boolean => a.from < b.to && b.from < a.to;

const without = (spans: readonly Times[], closure: Times): Times[] =>
  spans.flatMap(({ from, to }) =>
    [
      { from, to: Math.min(to, closure.from) },
      { from: Math.max(from, closure.to), to },
    ].filter((rest) => rest.from < rest.to),
  );

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timesOf = ({ starts_at, ends_at }: Span): Times => ({ from: Date.parse(starts_at), to: Date.parse(ends_at) });
const spanOf = ({ from, to }: Times): Span => ({ starts_at: iso(from), ends_at: iso(to) });
