import { observe } from '@corner/chassis';
import type { ReportsContext } from './context.ts';
import { daysBetween, sumDay } from './rules/sum-day.ts';
import { findUnprovenDays } from './tables/books.ts';
import { findClosableDays, type OpenSpan, writeClosedDay } from './tables/closed-days.ts';
import { readOpenRows } from './tables/open-days.ts';
import { findSilentStores } from './tables/silent-stores.ts';
import { proveDay } from './transactions.ts';

const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * Sums the ended days of each store, at most a month of days, keeps the sums, and signs them. Safe to run twice at once: a day is written
 * once, and later changes do not belong to it. A store that fails is tried at the next run.
 */
export async function closeDays(context: ReportsContext): Promise<void> {
  await sumDays(context);
  await proveDays(context);
}

async function sumDays(context: ReportsContext): Promise<void> {
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

/** Closes the days in order: each begins where the one before it ended. */
async function closeSpan({ database }: ReportsContext, { storeId, from, to, ...span }: OpenSpan): Promise<void> {
  let { closed } = span;
  for (const day of daysBetween(from, to)) {
    const one = { storeId, closed, from: day, to: day };
    const sums = sumDay(day, await readOpenRows(database, one));
    const ends_at = await database.transaction((tx) => writeClosedDay(tx, one, sums));
    // Another replica has closed it and continues from here.
    if (ends_at === null) return;
    closed = { day, ends_at };
  }
}

/** Most days of a store signed by one run: days closed before signing was introduced may go back years. */
const mostDays = 31;

/** Signs closed days without a statement, in order for each store, since each names the one before. */
async function proveDays(context: ReportsContext): Promise<void> {
  let all = 0;
  for (let turn = 0, proven = 1; turn < mostDays && proven > 0; turn += 1) {
    proven = await proveNextDays(context);
    all += proven;
  }
  if (all > 0 && context.bookSigner.keys.length === 0)
    context.log.warn({ days: all }, 'days were closed without a signature, since BOOK_SIGNING_KEYS names no key');
}

async function proveNextDays({ database, bookSigner, mode, log }: ReportsContext): Promise<number> {
  let proven = 0;
  for (let after = leastId; ; ) {
    const days = await findUnprovenDays(database, after);
    for (const day of days) {
      const isProven = await database
        .transaction((tx) => proveDay(tx, day, bookSigner, mode))
        .catch((error: unknown) => {
          log.warn({ err: error, store_id: day.store_id }, 'a day of a store could not be signed yet');
          return false;
        });
      if (isProven) proven += 1;
      after = day.store_id;
    }
    if (days.length === 0) return proven;
  }
}

/** Milliseconds between two checks for silent stores. A check reads weeks of each store, and covers an hour. */
const silenceMs = 300_000;

/**
 * Counts stores that are silent at an hour when they usually are not, and logs their codes when the set changes: as metric labels, stores
 * would be unbounded.
 */
export function observeSilentStores({ database, now, log }: ReportsContext): () => void {
  let logged = '';
  let codes: readonly string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  return observe(['corner.stores.silent'], async (report) => {
    if (performance.now() - lookedAt >= silenceMs) {
      codes = await findSilentStores(database, now());
      lookedAt = performance.now();
    }
    report('corner.stores.silent', codes.length, {});
    if (codes.length > 0 && codes.join() !== logged)
      log.warn({ stores: codes }, 'stores are paid nothing at an hour when they usually are');
    logged = codes.join();
  });
}
