import type { Queries } from '@corner/chassis';
import { eraseGuestDetails } from '../tables/write-entry.ts';

/** Erases the names and phone numbers of guests a day after their entries ended. One statement, so it needs no explicit transaction. */
export const eraseGuests = async (queries: Queries, now: Date): Promise<void> => await eraseGuestDetails(queries, now);
