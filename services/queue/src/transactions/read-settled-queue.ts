import type { Database } from '@corner/chassis';
import type { LiveQueue } from '../rules/live-queue.ts';
import type { Entry } from '../tables/entries.ts';
import { lockQueue } from './lock-queue.ts';
import { readQueue } from './read-queue.ts';

/** Reads a store's queue and, only when entries are overdue, ends those in a transaction. Null for an unknown store. */
export async function readSettledQueue(database: Database, storeId: string, now: Date): Promise<LiveQueue<Entry> | null> {
  const queue = await readQueue(database, storeId, now);
  return queue && queue.overdue.length > 0 ? await database.transaction((tx) => lockQueue(tx, storeId)) : queue;
}
