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
} from './index.ts';

/** A file carries no versions: the publisher of the snapshots assigns them. */
const unversioned = { version: true } as const;

/** The declarative file that `corner apply` reads. A file with any fault is not applied at all. */
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
