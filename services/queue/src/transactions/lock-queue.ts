import type { Queries, Transaction } from '@corner/chassis';
import { type LiveQueue, liveQueue } from '../rules/live-queue.ts';
import type { Entry } from '../tables/entries.ts';
import { lockFloor, readQueueSnapshot } from '../tables/queue-snapshot.ts';
import { moveEntry } from './move-entry.ts';

/**
 * Locks a store's queue, ends the entries whose time has ended, and returns the queue. Every change of a queue begins here, so that no two
 * changes run at once. Null for an unknown store.
 */
export async function lockQueue(tx: Transaction, storeId: string): Promise<LiveQueue<Entry> | null> {
  await lockFloor(tx, storeId);
  const queue = await readQueue(tx, storeId, tx.now);
  if (!queue || queue.overdue.length === 0) return queue;
  for (const { entry, move } of queue.overdue) await moveEntry(tx, entry, move, move === 'leave' ? { leftBy: 'closing' } : {});
  return await readQueue(tx, storeId, tx.now);
}

/** Reads a store's queue as it is at `now`; entries whose time has ended are still in it. Null for an unknown store. */
export async function readQueue(queries: Queries, storeId: string, now: Date): Promise<LiveQueue<Entry> | null> {
  const snapshot = await readQueueSnapshot(queries, storeId, now);
  return snapshot && liveQueue(snapshot, now.getTime());
}
