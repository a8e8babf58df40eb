import type { Queries } from '@corner/chassis';
import { type LiveQueue, liveQueue } from '../rules/live-queue.ts';
import type { Entry } from '../tables/entries.ts';
import { readQueueSnapshot } from '../tables/queue-snapshot.ts';

/** Reads a store's queue as it is at `now`; entries whose time has ended are still in it. Null for an unknown store. */
export async function readQueue(queries: Queries, storeId: string, now: Date): Promise<LiveQueue<Entry> | null> {
  const snapshot = await readQueueSnapshot(queries, storeId, now);
  return snapshot && liveQueue(snapshot, now.getTime());
}
