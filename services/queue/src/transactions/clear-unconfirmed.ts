import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import { lockQueue } from './lock-queue.ts';
import { moveEntry } from './move-entry.ts';

/** Returns how many entries it ended, all in one transaction. Throws STORE_NOT_FOUND. */
export async function clearUnconfirmed(tx: Transaction, storeId: string, by: ChangedBy): Promise<number> {
  const queue = await lockQueue(tx, storeId);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const uncounted = queue.entries.filter(({ id }) => !queue.counted.has(id));
  for (const entry of uncounted) await moveEntry(tx, entry, 'leave', { by });
  return uncounted.length;
}
