import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { checkMove, type Move, moves } from '../rules/moves.ts';
import { type Entry, findEntry } from '../tables/entries.ts';
import { lockQueue } from './lock-queue.ts';
import { type MoveChanges, moveEntry } from './move-entry.ts';
import { readQueue } from './read-queue.ts';

/**
 * Makes one of the staff's moves and returns the entry and the queue after it. A move that was made already changes nothing.
 * `changesFor` runs under the queue's lock and only when the move is made. Throws QUEUE_ENTRY_NOT_FOUND, also for an entry of another store,
 * and INVALID_TRANSITION.
 */
export async function moveEntryAsStaff(
  tx: Transaction,
  { storeId, entryId, move }: StaffMove,
  changesFor: (entry: Entry, queue: LiveQueue<Entry>) => MoveChanges | Promise<MoveChanges> = () => ({}),
): Promise<MovedEntry> {
  const queue = await lockQueue(tx, storeId);
  const entry = queue?.entries.find(({ entry_id }) => entry_id === entryId) ?? (await findEntry(tx, entryId));
  if (!queue || entry?.store_id !== storeId) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  const verdict = checkMove(entry.status, move);
  if (verdict === 'refused') {
    const { from, to } = moves[move];
    throw new Problem('INVALID_TRANSITION', { message: `The entry is ${entry.status}; to be ${to} it must be ${from.join(' or ')}.` });
  }
  if (verdict === 'already-made') return { entry, queue };
  const moved = await moveEntry(tx, entry, move, await changesFor(entry, queue));
  return { entry: moved, queue: await readQueue(tx, storeId, tx.now) };
}

interface StaffMove {
  readonly storeId: string;
  /** The entry's credential, as operations carry it. */
  readonly entryId: string;
  readonly move: Move;
}

export interface MovedEntry {
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry> | null;
}
