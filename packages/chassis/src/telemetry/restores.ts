import { perProgram } from '../async/per-program.ts';
import { observe } from './metrics.ts';

/** Signs that a database was restored or lost commits: unknown events under held numbers, needed events gone, transactions renumbered. */
export type Restore = 'unknown_events' | 'lost_events' | 'renumbered';

/**
 * From 0, so that an increase is visible. A restore found at the start precedes the first collection: the alert takes the age of the
 * process into account.
 */
const found = perProgram((): Record<Restore, number> => ({ unknown_events: 0, lost_events: 0, renumbered: 0 }));

export function countRestore(restore: Restore): void {
  found()[restore] += 1;
}

export function observeRestores(): () => void {
  const counts = found();
  return observe(['corner.database.restores'], (report) => {
    for (const [restore, count] of Object.entries(counts)) report('corner.database.restores', count, { 'corner.restore': restore });
  });
}
