import type { Context } from '../context.ts';
import { eraseGuests as eraseGuestsAt } from '../transactions/erase-guests.ts';

/** Erases the names and phone numbers of guests whose entries are no longer shown: they ended a day ago. */
export const eraseGuests = async ({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> =>
  await eraseGuestsAt(database, now());
