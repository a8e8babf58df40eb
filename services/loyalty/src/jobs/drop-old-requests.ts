import type { Context } from '../context.ts';
import { deleteRequests } from '../tables/multi-stamp-requests.ts';

/** For how many days a cancellation still returns the status of a cancelled or expired request. */
const keptDays = 7;

/** Deletes requests that were cancelled or expired. Confirmed ones stay: they name the member of staff, and count toward the month. */
export async function dropOldRequests({ database, now }: Context): Promise<void> {
  const resolvedBefore = new Date(now().getTime() - keptDays * 86_400_000);
  while ((await deleteRequests(database, resolvedBefore)) === 1_000);
}
