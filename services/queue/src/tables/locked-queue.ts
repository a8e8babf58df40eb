import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { type LiveQueue, readQueue } from './live-queue.ts';
import { moveEntry } from './move-entry.ts';

/**
 * Locks a store's queue for a change and reads it, those gone whom time has ended. Whatever changes a queue begins here, so that
 * no two change one at once. Null when the directory has told of no such store.
 */
export async function lockQueue(tx: Transaction, storeId: string, at: Date): Promise<LiveQueue | null> {
  await tx.any(sql.prepared('lock-queue', z.object({ version: z.number() }))`
    select version from floor where store_id = ${storeId} for no key update`);
  const queue = await readQueue(tx, storeId, at);
  if (!queue || queue.overdue.length === 0) return queue;
  for (const [entry, move] of queue.overdue) await moveEntry(tx, entry, move, at);
  return await readQueue(tx, storeId, at);
}
