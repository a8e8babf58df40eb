import { type ChangedBy, Problem } from '@corner/contracts';
import type { Context } from './context.ts';
import { aheadOf, storeNow } from './rules/weekly-classes.ts';
import { listWeeklyClasses } from './tables/weekly-classes.ts';
import { makeDay } from './transactions/bookings/weekly-classes.ts';
import { readCurrentQueue } from './transactions/lock-queue.ts';

/**
 * Makes the classes that the weekly classes of a store lack, each in a transaction of its own. A day on which none is possible stays without
 * one until the next run. `by` is null for the job.
 */
export async function makeClassesAhead(
  { database, now, log }: Pick<Context, 'database' | 'now' | 'log'>,
  storeId: string,
  by: ChangedBy | null,
): Promise<void> {
  const queue = await readCurrentQueue(database, storeId, now());
  if (!queue) return;
  for (const weekly of await listWeeklyClasses(database, storeId, now()))
    for (const { day, state } of aheadOf(weekly, storeNow(queue)))
      if (state === 'not_free')
        await database
          .transaction((tx) => makeDay(tx, { storeId, id: weekly.id, day, by }))
          .catch((error: unknown) => {
            if (!(error instanceof Problem)) log.warn({ err: error, store_id: storeId, day }, 'the class of a day could not be made yet');
          });
}
