import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryBooking } from '@corner/contracts';
import { upsertBooking } from '../tables/bookings.ts';

/** Saves a booking's snapshot. A snapshot that is not newer than the saved one is ignored. */
export const saveBooking = async (tx: Transaction, snapshot: DataOf<typeof directoryBooking>): Promise<void> =>
  await upsertBooking(tx, snapshot);
