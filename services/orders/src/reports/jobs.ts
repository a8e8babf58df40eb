import type { Context } from '../context.ts';
import { daysBetween, sumDay } from './rules/sum-day.ts';
import { findClosableDays, type OpenSpan, writeClosedDay } from './tables/closed-days.ts';
import { readOpenRows } from './tables/open-days.ts';

/** The least UUID: the id of every store is above it. */
const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * Sums the days of each store that have ended, a month of days at most, and keeps the sums. Safe to run twice at once: a day is written
 * once, and nothing that happens later belongs to it. A store that fails is tried at the next run.
 */
export async function closeDays(context: Context): Promise<void> {
  for (let after = leastId; ; ) {
    const spans = await findClosableDays(context.database, context.now(), after);
    for (const span of spans) {
      await closeSpan(context, span).catch((error: unknown) =>
        context.log.warn({ err: error, store_id: span.storeId }, 'the days of a store could not be closed yet'),
      );
      after = span.storeId;
    }
    if (spans.length === 0) return;
  }
}

/** Closes the days one after the other: each begins where the one before it ended. */
async function closeSpan({ database }: Context, { storeId, from, to, ...span }: OpenSpan): Promise<void> {
  let { closed } = span;
  for (const day of daysBetween(from, to)) {
    const one = { storeId, closed, from: day, to: day };
    const sums = sumDay(day, await readOpenRows(database, one));
    const ends_at = await database.transaction((tx) => writeClosedDay(tx, one, sums));
    // Another replica has closed it, and goes on.
    if (ends_at === null) return;
    closed = { day, ends_at };
  }
}
