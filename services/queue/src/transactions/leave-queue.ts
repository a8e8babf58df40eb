import type { Transaction } from '@corner/chassis';
import { type Entry, findEntry } from '../tables/entries.ts';
import { lockQueue } from './lock-queue.ts';
import { moveEntry } from './move-entry.ts';

/** `left` is false for an entry that had already ended; its status then stays. */
export async function leaveQueue(tx: Transaction, { id, entry_id, store_id, status }: Entry): Promise<LeaveResult> {
  const queue = await lockQueue(tx, store_id);
  const active = queue?.entries.find((entry) => entry.id === id);
  if (active) return { status: (await moveEntry(tx, active, 'leave', { leftBy: 'owner' })).status, left: true };
  const ended = await findEntry(tx, entry_id);
  return { status: ended?.status ?? status, left: false };
}

interface LeaveResult {
  readonly status: Entry['status'];
  readonly left: boolean;
}
