import type { SlotTemplateRow, WeeklySpan } from './templates.ts';

type Span = Omit<WeeklySpan, 'days'> & { readonly days: readonly number[] };
type Row = Omit<SlotTemplateRow, 'days'> & Span;

/** In epoch milliseconds. */
export interface Times {
  readonly from: number;
  readonly to: number;
}

export interface MadeSlot extends Times {
  readonly capacity: number | null;
}

/** Returns `count` days from `first` on, without those that the zone skipped. */
export const daysFrom = (first: Temporal.PlainDate, count: number, timeZone: string): Temporal.PlainDate[] =>
  Array.from({ length: count }, (_, index) => first.add({ days: index })).filter((day) => exists(day, timeZone));

/** A zone that moves across the date line skips a whole day, as Samoa did on 30 December 2011: its times would fall on the day after. */
const exists = (day: Temporal.PlainDate, timeZone: string): boolean => day.toZonedDateTime(timeZone).toPlainDate().equals(day);

/** Returns the slots of a template, the earliest first. Of two slots that overlap, the earlier one stays. */
export const expandTemplate = (rows: readonly Row[], days: readonly Temporal.PlainDate[], timeZone: string): readonly MadeSlot[] =>
  withoutOverlaps(rows.flatMap((row) => days.filter(isOf(row)).flatMap((day) => slotsOn(day, row, timeZone))));

/** Leaves out a span when a change of the clocks leaves nothing of it. */
export const expandSpan = (row: Span, days: readonly Temporal.PlainDate[], timeZone: string): readonly Times[] =>
  days
    .filter(isOf(row))
    .map((day) => {
      const { from, to } = wallTimesOn(day, row);
      return { from: at(from, timeZone), to: at(to, timeZone) };
    })
    .filter(({ from, to }) => from < to);

export const overlap = (a: Times, b: Times): boolean => a.from < b.to && b.from < a.to;

const isOf =
  ({ days }: Span) =>
  ({ dayOfWeek }: Temporal.PlainDate): boolean =>
    days.includes(dayOfWeek);

/** A time that the clocks show twice is the first of the two; a skipped one moves later by the gap. */
const at = (wall: Temporal.PlainDateTime, timeZone: string): number => wall.toZonedDateTime(timeZone).epochMilliseconds;

const wallTimesOn = (day: Temporal.PlainDate, { from, to }: Span) => ({
  from: day.toPlainDateTime(from),
  to: (to > from ? day : day.add({ days: 1 })).toPlainDateTime(to),
});

/** Slots begin at the same times of the clock every day, also when it changes: then two may begin at once, or one before another ends. */
function slotsOn(day: Temporal.PlainDate, row: Row, timeZone: string): MadeSlot[] {
  const wall = wallTimesOn(day, row);
  const ends = at(wall.to, timeZone);
  const count = Math.floor(wall.from.until(wall.to).total('minutes') / row.every_minutes);
  return Array.from({ length: count }, (_, index) => {
    const from = at(wall.from.add({ minutes: index * row.every_minutes }), timeZone);
    return { from, to: from + row.every_minutes * 60_000, capacity: row.capacity };
  }).filter(({ to }) => to <= ends);
}

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
