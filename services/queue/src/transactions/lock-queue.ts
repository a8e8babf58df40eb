import type { Database, Queries, Transaction } from '@corner/chassis';
import { type LiveQueue, liveQueue } from '../rules/live-queue.ts';
import { type Entry, findEntry } from '../tables/entries.ts';
import { lockFloor, readEntryAndQueue, readQueueSnapshot } from '../tables/queue-snapshot.ts';
import { moveEntry } from './move-entry.ts';

/**
 * Locks a store's queue, ends overdue entries and returns it: every change begins here, so no two run at once. Null for an unknown store.
 * `subscriber`: what the caller's address counts toward, where it matters.
 */
export async function lockQueue(tx: Transaction, storeId: string, subscriber: string | null = null): Promise<LiveQueue<Entry> | null> {
  await lockFloor(tx, storeId);
  const queue = await readQueue(tx, storeId, tx.now, subscriber);
  if (!queue || queue.overdue.length === 0) return queue;
  for (const { entry, move } of queue.overdue) await moveEntry(tx, entry, move, move === 'leave' ? { leftBy: 'closing' } : {});
  return await readQueue(tx, storeId, tx.now, subscriber);
}

/** Includes entries whose time has ended. Null for an unknown store. */
export async function readQueue(
  queries: Queries,
  storeId: string,
  now: Date,
  subscriber: string | null = null,
): Promise<LiveQueue<Entry> | null> {
  const snapshot = await readQueueSnapshot(queries, storeId, now, subscriber);
  return snapshot && liveQueue(snapshot, now.getTime());
}

export interface EntryInQueue {
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry> | null;
}

/** Ends overdue entries first. Null for an unknown credential. */
export async function readCurrentEntry(database: Database, entryId: string, now: Date): Promise<EntryInQueue | null> {
  const found = await readEntryAndQueue(database, entryId, now);
  if (!found) return null;
  const { entry, snapshot } = found;
  const queue = liveQueue(snapshot, now.getTime());
  if (queue.overdue.length === 0) return { entry, queue };
  const current = await database.transaction((tx) => lockQueue(tx, entry.store_id));
  const active = current?.entries.find(({ id }) => id === entry.id);
  // An entry that was active, and is not in the current queue, has ended: it is read again.
  return { entry: active ?? (await findEntry(database, entryId)) ?? entry, queue: current };
}

/** Opens a transaction only when entries are overdue, to end those. Null for an unknown store. */
export async function readCurrentQueue(
  database: Database,
  storeId: string,
  now: Date,
  subscriber: string | null = null,
): Promise<LiveQueue<Entry> | null> {
  const queue = await readQueue(database, storeId, now, subscriber);
  return queue && queue.overdue.length > 0 ? await database.transaction((tx) => lockQueue(tx, storeId, subscriber)) : queue;
}
