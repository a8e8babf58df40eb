import { observe } from './metrics.ts';

/**
 * How it shows that a database was restored or has lost commits: a producer has other events under numbers that the inbox holds; a producer no longer
 * keeps events that the inbox lacks; or the server numbers transactions anew.
 */
export type Restore = 'unknown_events' | 'lost_events' | 'renumbered';

/**
 * How often this process has found each. From 0, so that what it finds later is seen as an increase. What it finds at its start is counted before
 * the metrics are read for the first time: the alert knows it by the age of the process.
 */
const found: Record<Restore, number> = { unknown_events: 0, lost_events: 0, renumbered: 0 };

/** Counts that the database was found to be restored. */
export function countRestore(restore: Restore): void {
  found[restore] += 1;
}

/** Reports the counts at every collection. Returns a function that stops it. */
export const observeRestores = (): (() => void) =>
  observe(['corner.database.restores'], (report) => {
    for (const [restore, count] of Object.entries(found)) report('corner.database.restores', count, { 'corner.restore': restore });
  });
