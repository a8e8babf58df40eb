import { z } from 'zod';
import {
  BookingSnapshot,
  CustomerSnapshot,
  FloorSnapshot,
  MenuSnapshot,
  ProgrammeSnapshot,
  SlotsSnapshot,
  SlotTemplate,
  StaffSnapshot,
  StoreSnapshot,
  type WeeklySpan,
  WeeklySpans,
} from './index.ts';

/** A file carries no versions: the publisher of the snapshots assigns them. */
const unversioned = { version: true } as const;

/** Slots as they are kept: those with a date are the exceptions, and one that overlaps slots of the template stands in their place. */
const SlotsEntry = SlotsSnapshot.omit(unversioned).extend({
  slots: SlotsSnapshot.shape.slots.default([]),
  template: SlotTemplate.default([]).describe('Slots that are made again each week, 14 days ahead.'),
});

const { shape: floor } = FloorSnapshot;
/** Shifts and breaks of a floor in a week, at most: those of two weeks fit into one message. */
const mostSpans = 2_800;
const spansOf = (units: readonly Record<'weekly_shifts' | 'weekly_breaks', readonly WeeklySpan[]>[]): number =>
  units.flatMap(({ weekly_shifts, weekly_breaks }) => [...weekly_shifts, ...weekly_breaks]).reduce((sum, { days }) => sum + days.length, 0);

/** A floor as it is kept: shifts and breaks with a date are added to the weekly ones. */
const FloorEntry = FloorSnapshot.omit(unversioned).extend({
  units: z
    .array(
      floor.units.element.extend({
        weekly_shifts: WeeklySpans.default([]).describe('When it is staffed each week, 14 days ahead.'),
        weekly_breaks: WeeklySpans.default([]).describe('When it is not, within a shift, each week.'),
      }),
    )
    .refine((units) => spansOf(units) <= mostSpans, `must have at most ${mostSpans} shifts and breaks a week, together`)
    .describe('The chairs.'),
});

/** The declarative file that `corner apply` reads. A file with any fault is not applied at all. */
export const DirectoryFile = z.strictObject({
  stores: z.array(StoreSnapshot.omit(unversioned)).default([]),
  menus: z.array(MenuSnapshot.omit(unversioned)).default([]),
  slots: z.array(SlotsEntry).default([]),
  programmes: z.array(ProgrammeSnapshot.omit(unversioned)).default([]),
  floors: z.array(FloorEntry).default([]),
  bookings: z.array(BookingSnapshot.omit(unversioned)).default([]),
  customers: z.array(CustomerSnapshot.omit(unversioned)).default([]),
  staff: z.array(StaffSnapshot.omit(unversioned)).default([]),
});
export type DirectoryFile = z.output<typeof DirectoryFile>;
