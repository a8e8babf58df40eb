import { z } from 'zod';
import {
  BookingSnapshot,
  CustomerSnapshot,
  FloorSnapshot,
  MenuSnapshot,
  ProgrammeSnapshot,
  SlotsSnapshot,
  StaffSnapshot,
  StoreSnapshot,
} from './snapshots.ts';

/** A version is given by whoever publishes the file; a file itself carries none. */
const unversioned = { version: true } as const;

/** What `corner apply` reads: one declarative file, all of it or nothing. */
export const DirectoryFile = z.strictObject({
  stores: z.array(StoreSnapshot.omit(unversioned)).default([]),
  menus: z.array(MenuSnapshot.omit(unversioned)).default([]),
  slots: z.array(SlotsSnapshot.omit(unversioned)).default([]),
  programmes: z.array(ProgrammeSnapshot.omit(unversioned)).default([]),
  floors: z.array(FloorSnapshot.omit(unversioned)).default([]),
  bookings: z.array(BookingSnapshot.omit(unversioned)).default([]),
  customers: z.array(CustomerSnapshot.omit(unversioned)).default([]),
  staff: z.array(StaffSnapshot.omit(unversioned)).default([]),
});
export type DirectoryFile = z.output<typeof DirectoryFile>;
