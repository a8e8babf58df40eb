import type { Context } from './context.ts';
import { findStoresWithOverdueEntries } from './tables/entries.ts';
import { eraseGuestDetails } from './tables/write-entry.ts';
import { readSettledQueue } from './transactions/read-settled-queue.ts';

/** Ends lapsed calls, waits that outlasted the store's day, and abandoned chairs. Locks the queue of one store at a time. */
export async function endOverdue({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const time = now();
  for (const storeId of await findStoresWithOverdueEntries(database, time)) await readSettledQueue(database, storeId, time);
}

/** Erases the names and phone numbers of guests whose entries are no longer shown: they ended a day ago. */
export const eraseGuests = async ({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> =>
  await eraseGuestDetails(database, now());
