import type { Database, Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { type Move, moveFrom, moves } from '../rules/moves.ts';
import { type Entry, entryNamed } from './entries.ts';
import { type LiveQueue, readQueue } from './live-queue.ts';
import { lockQueue } from './locked-queue.ts';
import { type AlsoWritten, moveEntry } from './move-entry.ts';
import { shownToStore } from './shown-entry.ts';

interface Asked {
  readonly params: { readonly entry_id: string };
  readonly body: { readonly store_id: string };
}

/** What a move writes besides the status, worked out while the queue is locked. */
type Prepare = (tx: Transaction, entry: Entry, queue: LiveQueue) => Promise<AlsoWritten>;

/**
 * Makes one of the staff's moves at their store and answers the entry as it then is. A move that was made already is not made again.
 * Throws QUEUE_ENTRY_NOT_FOUND, also for an entry of another store, and INVALID_TRANSITION.
 */
export async function moveAsStaff(
  { params, body }: Asked,
  { database, now }: { readonly database: Database; readonly now: () => Date },
  move: Move,
  prepare: Prepare = async () => ({}),
) {
  return await database.transaction(async (tx) => {
    const at = now();
    const queue = await lockQueue(tx, body.store_id, at);
    const entry = queue?.entries.find(({ entry_id }) => entry_id === params.entry_id) ?? (await entryNamed(tx, params.entry_id));
    if (!queue || entry?.store_id !== body.store_id) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
    const verdict = moveFrom(entry.status, move);
    if (verdict === 'refused') {
      const { from, to } = moves[move];
      throw new Problem('INVALID_TRANSITION', { message: `The entry is ${entry.status}; to be ${to} it must be ${from.join(' or ')}.` });
    }
    if (verdict === 'done') return { entry: shownToStore(entry, queue) };
    const moved = await moveEntry(tx, entry, move, at, await prepare(tx, entry, queue));
    return { entry: shownToStore(moved, await readQueue(tx, body.store_id, at)) };
  });
}
