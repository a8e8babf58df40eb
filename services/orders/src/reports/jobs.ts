import { observe } from '@corner/chassis';
import type { ReportsContext } from './context.ts';
import { daysBetween, sumDay } from './rules/sum-day.ts';
import { findUnprovenDays } from './tables/books.ts';
import { findClosableDays, type OpenSpan, writeClosedDay } from './tables/closed-days.ts';
import { readOpenRows } from './tables/open-days.ts';
import { findSilentStores } from './tables/silent-stores.ts';
import { proveDay } from './transactions.ts';

/** The least UUID: the id of every store is above it. */
const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * Sums the days of each store that have ended, a month of days at most, keeps the sums, and signs them. Safe to run twice at once: a day is
 * written once, and nothing that happens later belongs to it. A store that fails is tried at the next run.
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

/** Closes the days one after the other: each begins where the one before it ended. */
async function closeSpan({ database }: ReportsContext, { storeId, from, to, ...span }: OpenSpan): Promise<void> {
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

/** Days of a store that one run signs, at most: where days were closed before they were signed, there are years of them. */
const mostDays = 31;

/** Signs the closed days that have no statement, those of a store one after the other, since each names the one before. */
async function proveDays(context: ReportsContext): Promise<void> {
  let all = 0;
  for (let turn = 0, proven = 1; turn < mostDays && proven > 0; turn += 1) {
    proven = await proveNextDays(context);
    all += proven;
  }
  if (all > 0 && context.bookSigner.keys.length === 0)
    context.log.warn({ days: all }, 'days were closed without a signature, since BOOK_SIGNING_KEYS names no key');
}

/** Signs the next day of each store that has one, and returns how many were signed. */
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

/** Milliseconds between two looks for silent stores. It reads weeks of each store, and is about an hour. */
const silenceMs = 300_000;

/** Counts the stores that are silent at an hour when they usually are not, and logs their codes when others are: a label of stores has no bound. */
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
