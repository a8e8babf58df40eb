import { z } from 'zod';
import { timeOfDay } from './snapshot-parts.ts';

export const weekDays = z
  .array(z.int().min(1).max(7))
  .min(1)
  .refine((all) => new Set(all).size === all.length, 'must name each day once')
  .describe('Days of the week; 1 is Monday.');
const span = {
  days: weekDays,
  from: timeOfDay.describe('A time of day in the store’s time zone.'),
  to: timeOfDay.describe('A time of day in the store’s time zone. One that is not after `from` is on the next day.'),
};

export const WeeklySpans = z.array(z.object(span)).max(28);
export type WeeklySpan = z.output<typeof WeeklySpans>[number];

const SlotTemplateRow = z
  .object({
    ...span,
    every_minutes: z.int().min(5).max(1440).describe('Minutes that each slot lasts. The next one begins at its end.'),
    capacity: z.int().min(0).nullable().default(null).describe('The number of orders each slot can hold; null means unlimited.'),
  })
  .refine((row) => !(row.every_minutes > minutesOf(row)), { path: ['every_minutes'], error: 'must fit between from and to' });
export type SlotTemplateRow = z.output<typeof SlotTemplateRow>;

/** Slots of a week, at most: one every five minutes, day and night. A snapshot of two weeks of them is a message of 700 kB. */
const mostSlots = 7 * 24 * 12;

export const SlotTemplate = z
  .array(SlotTemplateRow)
  .max(100)
  .refine((rows) => !(slotsOf(rows) > mostSlots), `must make at most ${mostSlots} slots a week`)
  .superRefine((rows, context) => {
    for (const index of overlapping(rows)) context.addIssue({ code: 'custom', path: [index], message: 'overlaps another row' });
  });

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** In minutes, without a change of the clocks. NaN for a malformed time, which has a fault of its own. */
const minutesOf = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  minuteOf(to) - minuteOf(from) + (to > from ? 0 : dayMinutes);

const slotsOf = (rows: readonly SlotTemplateRow[]): number =>
  rows.reduce((sum, row) => sum + row.days.length * Math.floor(minutesOf(row) / row.every_minutes), 0);

/** Returns the index of each row with a day that begins before an earlier one has ended. The week is a circle. */
function overlapping(rows: readonly SlotTemplateRow[]): number[] {
  const spans = rows
    .flatMap((row, index) =>
      [...new Set(row.days)].map((day) => ({ index, starts: (day - 1) * dayMinutes + minuteOf(row.from), lasts: minutesOf(row) })),
    )
    .toSorted((a, b) => a.starts - b.starts);
  const found = spans.filter(({ starts }, at) => {
    const before = at === 0 ? spans.at(-1) : spans[at - 1];
    if (!before || spans.length === 1) return false;
    return before.starts - (at === 0 ? weekMinutes : 0) + before.lasts > starts;
  });
  return [...new Set(found.map(({ index }) => index))];
}
