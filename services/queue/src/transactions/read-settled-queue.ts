import type { Database } from '@corner/chassis';
import { type LiveQueue, liveQueue } from '../rules/live-queue.ts';
import { type Entry, findEntry } from '../tables/entries.ts';
import { readEntryAndQueue } from '../tables/queue-snapshot.ts';
import { lockQueue, readQueue } from './lock-queue.ts';

/** An entry, which may have ended, and the queue of its store. */
export interface EntryInQueue {
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry> | null;
}

/**
 * Reads the entry that a credential names and its store's queue. Entries that are overdue are ended before it returns. Null for an unknown
 * credential.
 */
export async function readSettledEntry(database: Database, entryId: string, now: Date): Promise<EntryInQueue | null> {
  const found = await readEntryAndQueue(database, entryId, now);
  if (!found) return null;
  const { entry, snapshot } = found;
  const queue = liveQueue(snapshot, now.getTime());
  if (queue.overdue.length === 0) return { entry, queue };
  const settled = await database.transaction((tx) => lockQueue(tx, entry.store_id));
  const active = settled?.entries.find(({ id }) => id === entry.id);
  // An entry that was active, and is not in the settled queue, has ended: it is read again.
  return { entry: active ?? (await findEntry(database, entryId)) ?? entry, queue: settled };
}

/** Reads a store's queue and, only when entries are overdue, ends those in a transaction. Null for an unknown store. */
export async function readSettledQueue(database: Database, storeId: string, now: Date): Promise<LiveQueue<Entry> | null> {
  const queue = await readQueue(database, storeId, now);
  return queue && queue.overdue.length > 0 ? await database.transaction((tx) => lockQueue(tx, storeId)) : queue;
}
