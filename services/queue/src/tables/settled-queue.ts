import type { Database } from '@corner/chassis';
import { type LiveQueue, readQueue } from './live-queue.ts';
import { lockQueue } from './locked-queue.ts';

/** Reads a store's queue; who is still in it though their time has ended is taken out first. Null for an unknown store. */
export async function settledQueue(database: Database, storeId: string, at: Date): Promise<LiveQueue | null> {
  const queue = await readQueue(database, storeId, at);
  return queue && queue.overdue.length > 0 ? await database.transaction((tx) => lockQueue(tx, storeId, at)) : queue;
}
