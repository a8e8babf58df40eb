import type { DataOf, directoryFloor, directorySlots, SlotTemplateRow, WeeklySpan } from '@corner/contracts';
import { daysFrom, expandSpan, expandTemplate, overlap, type Times } from '@corner/contracts/expand-template';

export const daysAhead = 14;

type Slot = DataOf<typeof directorySlots>['slots'][number];
type Unit = DataOf<typeof directoryFloor>['units'][number];
type Span = Unit['shifts'][number];

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
  const made = expandTemplate(template, ahead.days, calendar.time_zone)
    .filter((slot) => overlap(slot, ahead) && !taken.some((other) => overlap(slot, other)))
    .map(({ capacity, ...times }) => {
      const span = spanOf(times);
      return { id: idOf(span.starts_at), ...span, capacity, open: true };
    })
    .filter(({ id }) => !ids.has(id));
  return [...slots, ...made].toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
}

export interface UnitAsKept extends Unit {
  readonly weekly_shifts: readonly WeeklySpan[];
  readonly weekly_breaks: readonly WeeklySpan[];
}

/** Returns a chair with the shifts and breaks that its week makes for the days ahead, next to those with a date. Closures cut made shifts. */
export function expandUnit({ weekly_shifts, weekly_breaks, ...unit }: UnitAsKept, calendar: Calendar, now: Date): Unit {
  const ahead = aheadOf(calendar.time_zone, now);
  const made = (rows: readonly WeeklySpan[]): Times[] =>
    rows
      .flatMap((row) => expandSpan(row, ahead.days, calendar.time_zone))
      .filter((times) => overlap(times, ahead))
      .toSorted((a, b) => a.from - b.from);
  const shifts = calendar.closures.map(timesOf).reduce(without, made(weekly_shifts));
  return {
    ...unit,
    shifts: [...unit.shifts, ...shifts.map(spanOf)],
    breaks: [...unit.breaks, ...made(weekly_breaks).map(spanOf)],
  };
}

export const publishedUntil = (timeZone: string, now: Date): string => today(timeZone, now).add({ days: daysAhead }).toString();

const earliestZone = 'Pacific/Kiritimati';

export const latestPublishedUntil = (now: Date): string => publishedUntil(earliestZone, now);

interface Ahead extends Times {
  /** Yesterday is one of them: its nights may last into today. */
  readonly days: readonly Temporal.PlainDate[];
}

function aheadOf(timeZone: string, now: Date): Ahead {
  const first = today(timeZone, now);
  return {
    from: now.getTime(),
    to: first.add({ days: daysAhead }).toZonedDateTime(timeZone).epochMilliseconds,
    days: daysFrom(first.subtract({ days: 1 }), daysAhead + 1, timeZone),
  };
}

const today = (timeZone: string, now: Date): Temporal.PlainDate => now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();

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
