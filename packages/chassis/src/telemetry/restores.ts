import { observe } from './metrics.ts';

/**
 * How a database shows that it was restored or has lost commits: its stream has events that it does not know, its inbox lacks events that it had
 * acknowledged, or its server numbers transactions anew.
 */
export type Restore = 'unknown_events' | 'lacks_events' | 'renumbered';

/**
 * How often this process has found each. From 0, so that what it finds later is seen as an increase. What it finds at its start is counted before
 * the metrics are read for the first time: the alert knows it by the age of the process.
 */
const found: Record<Restore, number> = { unknown_events: 0, lacks_events: 0, renumbered: 0 };

/** Counts that the database was found to be restored. */
export function countRestore(restore: Restore): void {
  found[restore] += 1;
}

/** Reports the counts at every collection. Returns a function that stops it. */
export const observeRestores = (): (() => void) =>
  observe(['corner.database.restores'], (report) => {
    for (const [restore, count] of Object.entries(found)) report('corner.database.restores', count, { 'corner.restore': restore });
  });
