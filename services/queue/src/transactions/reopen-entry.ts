import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem, queueReopened } from '@corner/contracts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { checkReopening } from '../rules/moves.ts';
import { areStillFree, type Seat } from '../rules/wait/seat-parties.ts';
import { type Entry, findEntry, findSeats, reopenEntry as writeReopenedEntry } from '../tables/entries.ts';
import { lockQueue, readQueue } from './lock-queue.ts';
import { entryEvent, holdEnd } from './move-entry.ts';

/**
 * Undoes a completion, a no-show or a clearing and returns entry and queue after it; a repeat changes nothing. Throws
 * QUEUE_ENTRY_NOT_FOUND, INVALID_TRANSITION, and NO_CAPACITY_TODAY when one of its chairs was given to another.
 */
export async function reopenEntry(tx: Transaction, { storeId, entryId, reason, by }: ReopenRequest): Promise<ReopenedEntry> {
  const queue = await lockQueue(tx, storeId);
  const entry = queue?.entries.find(({ entry_id }) => entry_id === entryId) ?? (await findEntry(tx, entryId));
  if (!queue || entry?.store_id !== storeId) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  const reopening = checkReopening(entry, queue.entries, tx.now.getTime());
  if (reopening.verdict === 'refused') throw new Problem('INVALID_TRANSITION', { message: reopening.why });
  if (reopening.verdict === 'already-made') return { entry, queue };
  const seats = reopening.to === 'assigned' ? await seatsAgain(tx, entry, queue) : [];
  const holdUntil = reopening.to === 'called' ? holdEnd(tx, queue.calledHoldMinutes) : null;
  const ahead = queue.entries.filter(({ status, joined_at }) => status === 'waiting' && joined_at < entry.joined_at);
  const position = reopening.to === 'waiting' ? ahead.length + 1 : null;
  const reopened = { ...entry, hold_until: holdUntil, event_sequence: entry.event_sequence + 1 };
  const event = entryEvent(tx, queueReopened, reopened, { position, by });
  const change = { status: reopening.to, holdUntil, seats, detail: reason, at: tx.now, by };
  return { entry: await writeReopenedEntry(tx, entry, change, event), queue: await readQueue(tx, storeId, tx.now) };
}

/** Returns the seats that the entry left, from now on. One whose time is over starts again, because its customer is still in the chair. */
async function seatsAgain(tx: Transaction, entry: Entry, { floor }: LiveQueue): Promise<readonly Seat[]> {
  const left = await findSeats(tx, entry);
  if (!areStillFree(floor, left)) throw new Problem('NO_CAPACITY_TODAY', { message: 'The chair has been given to another since.' });
  return left.map(({ chairId, from, to }) => ({ chairId, from: Math.max(from, floor.now), to: Math.max(to, floor.now + shortestSeatMs) }));
}

/** Milliseconds for which a chair whose time is over is booked again. The wait estimate expects its customer to need longer. */
const shortestSeatMs = 60_000;

interface ReopenRequest {
  readonly storeId: string;
  readonly entryId: string;
  readonly reason: string | null;
  readonly by: ChangedBy;
}

interface ReopenedEntry {
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry> | null;
}
