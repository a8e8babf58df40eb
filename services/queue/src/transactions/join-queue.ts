import type { Transaction } from '@corner/chassis';
import { Problem, queueJoined } from '@corner/contracts';
import { entryView, queuePosition } from '../rules/entry-view.ts';
import { type LiveQueue, partyOf } from '../rules/live-queue.ts';
import { quoteWait } from '../rules/wait/seat-parties.ts';
import { type Entry, findEntryById } from '../tables/entries.ts';
import { insertEntry, type NewEntry } from '../tables/write-entry.ts';
import { entryEvent } from './entry-event.ts';
import { lockQueue, readQueue } from './lock-queue.ts';
import { takeOverEntry } from './take-over-entry.ts';

/**
 * Adds an entry at the end of a store's queue and quotes its wait. A customer who has an active entry there gets that entry back, and one
 * who names the place they took as a guest keeps it, and a guest whose entry has the given id gets it back. Throws STORE_NOT_FOUND, QUEUE_ENTRY_NOT_FOUND, WALK_INS_NOT_ACCEPTED,
 * SERVICE_NOT_FOUND, UNIT_NOT_FOUND and NO_CAPACITY_TODAY.
 */
export async function joinQueue(tx: Transaction, { guestEntryId, ...request }: JoinRequest): Promise<Joined> {
  const queue = await lockQueue(tx, request.store_id);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const { store_id: storeId, customer_id: customerId } = request;
  const active = customerId && (await findPlace(tx, queue, { storeId, customerId, guestEntryId }));
  if (active) return await reuse(tx, active);
  const made = request.id === null ? null : await findEntryById(tx, storeId, request.id);
  return made ? { entry: made, reused: false, expectedWaitMinutes: made.quoted_wait_min } : await addEntry(tx, queue, request);
}

/** Returns the customer's active entry, which may be one that they took as a guest; undefined when they have none. */
async function findPlace(tx: Transaction, queue: LiveQueue<Entry>, { storeId, customerId, guestEntryId }: PlaceRequest) {
  const taken = guestEntryId === null ? null : await takeOverEntry(tx, queue, { storeId, customerId, entryId: guestEntryId });
  return taken ?? queue.entries.find(({ customer_id }) => customer_id === customerId);
}

/** Reads the queue again, because taking a place over may have ended another one. */
async function reuse(tx: Transaction, entry: Entry): Promise<Joined> {
  const queue = await readQueue(tx, entry.store_id, tx.now);
  return { entry, reused: true, expectedWaitMinutes: queue ? currentWait(entry, queue) : 0 };
}

async function addEntry(tx: Transaction, queue: LiveQueue<Entry>, request: Omit<JoinRequest, 'guestEntryId'>): Promise<Joined> {
  if (!queue.walkInsAccepted) throw new Problem('WALK_INS_NOT_ACCEPTED');
  const ahead = queue.entries.filter(({ status }) => status !== 'assigned');
  const quoted = quoteWait(queue.floor, ahead.map(partyOf), partyOf(request));
  const waiting = queue.entries.filter(({ status }) => status === 'waiting');
  const added = { ...request, id: request.id ?? tx.newId(), quoted_wait_min: quoted };
  const event = entryEvent(tx, queueJoined, { ...added, hold_until: null, event_sequence: 1 }, { position: waiting.length + 1 });
  const entry = await insertEntry(tx, added, event, tx.now);
  return { entry, reused: false, expectedWaitMinutes: quoted };
}

/** Returns the wait in minutes: none for an entry that is called or in a chair, and the quoted wait when the day has no room left. */
function currentWait(entry: Entry, queue: LiveQueue): number {
  if (queuePosition(queue, entry) === null) return 0;
  return entryView(entry, queue).expected_wait_min ?? entry.quoted_wait_min;
}

type JoinRequest = Omit<NewEntry, 'id' | 'quoted_wait_min'> & {
  /** The credential of a place that the customer took as a guest; null when they name none. */
  readonly guestEntryId: string | null;
  /** The id that the entry is to have; null for any. */
  readonly id: string | null;
};

interface PlaceRequest {
  readonly storeId: string;
  readonly customerId: string;
  readonly guestEntryId: string | null;
}

interface Joined {
  readonly entry: Entry;
  /** Whether the customer had the entry before. */
  readonly reused: boolean;
  readonly expectedWaitMinutes: number;
}
