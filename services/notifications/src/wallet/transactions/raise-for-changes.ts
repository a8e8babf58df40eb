import type { Signal, Transaction } from '@corner/chassis';
import { coalesceMs } from '../tables/pass-updates.ts';

/** After the commit, raises the signal for passes that were marked as changed, once their updates are due. */
export function raiseForChanges(tx: Transaction, passes: number, signal: Signal): void {
  if (passes > 0) tx.on('commit', () => signal.raiseAfter(coalesceMs));
}
