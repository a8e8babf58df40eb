import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem, phoneAtStore, queueClaimed, queueJoined } from '@corner/contracts';
import { partiesAhead } from '../rules/counted.ts';
import { entryView, queuePosition } from '../rules/entry-view.ts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { placeToKeep } from '../rules/moves.ts';
import { partyOf } from '../rules/wait/floor.ts';
import { checkChair, quoteWait } from '../rules/wait/seat-parties.ts';
import { keptQuotes } from '../rules/waits.ts';
import { walkInsRefusal } from '../rules/walk-ins.ts';
import { type Entry, findEntry, findEntryById, insertEntry, type NewEntry, updateOwner } from '../tables/entries.ts';
import { lockQueue, readQueue } from './lock-queue.ts';
import { entryEvent, moveEntry } from './move-entry.ts';

/**
 * Adds an entry at the end of a store's queue and quotes its wait; a caller who has one, also as a guest, gets it back. Throws
 * STORE_NOT_FOUND, QUEUE_ENTRY_NOT_FOUND, WALK_INS_NOT_ACCEPTED, SERVICE_NOT_FOUND, UNIT_NOT_FOUND and NO_CAPACITY_TODAY.
 */
export async function joinQueue(tx: Transaction, { guestEntryId, subscriber, ...request }: JoinRequest): Promise<Joined> {
  const queue = await lockQueue(tx, request.store_id, subscriber);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const { store_id: storeId, customer_id: customerId } = request;
  const active = customerId && (await findPlace(tx, queue, { storeId, customerId, guestEntryId }));
  if (active) return await reuse(tx, active);
  const made = request.id === null ? null : await findEntryById(tx, storeId, request.id);
  return made ? { entry: made, reused: false, expectedWaitMinutes: made.quoted_wait_min } : await addEntry(tx, queue, request);
}

async function findPlace(tx: Transaction, queue: LiveQueue<Entry>, { storeId, customerId, guestEntryId }: PlaceRequest) {
  const taken = guestEntryId === null ? null : await takeOverEntry(tx, queue, { storeId, customerId, entryId: guestEntryId });
  return taken ?? queue.entries.find(({ customer_id }) => customer_id === customerId);
}

/** Reads the queue again, because taking a place over may have ended another one. */
async function reuse(tx: Transaction, entry: Entry): Promise<Joined> {
  const queue = await readQueue(tx, entry.store_id, tx.now);
  return { entry, reused: true, expectedWaitMinutes: queue ? currentWait(entry, queue) : 0 };
}

async function addEntry(
  tx: Transaction,
  queue: LiveQueue<Entry>,
  { by, ...request }: Omit<JoinRequest, 'guestEntryId' | 'subscriber'>,
): Promise<Joined> {
  // The request's own fields are checked before the store's hours.
  const guest_phone = request.guest_phone === null ? null : phoneAtStore(request.guest_phone, queue.timeZone, 'guest_phone');
  checkWalkIns(queue, by);
  if (by) checkChair(queue.floor, partyOf(request));
  const address_hash = request.customer_id === null && !by ? queue.callerHash : null;
  const ahead = partiesAhead(queue.entries, { ...request, guest_phone, address_hash, by_id: by?.id ?? null });
  const quoted = quoteWait(queue.floor, ahead, partyOf(request));
  const waiting = queue.entries.filter(({ status }) => status === 'waiting');
  const added = { ...request, guest_phone, address_hash, id: request.id ?? tx.newId(), quoted_wait_min: quoted };
  const event = entryEvent(tx, queueJoined, { ...added, hold_until: null, event_sequence: 1 }, { position: waiting.length + 1, by });
  const entry = await insertEntry(tx, added, event, { at: tx.now, by, quotes: keptQuotes(tx.now, queue.timeZone) });
  return { entry, reused: false, expectedWaitMinutes: quoted };
}

/** Throws WALK_INS_NOT_ACCEPTED. Staff add those who stand at the counter, unless the store takes no walk-ins at all. */
function checkWalkIns({ walkIns, timeZone }: LiveQueue, by: ChangedBy | null): void {
  if (walkIns.reason === 'store') throw new Problem('WALK_INS_NOT_ACCEPTED');
  if (walkIns.open || by) return;
  throw new Problem('WALK_INS_NOT_ACCEPTED', { message: walkInsRefusal(walkIns, timeZone) });
}

/** In minutes: 0 for an entry that is called or in a chair, and the quoted wait when the day has no room left. */
function currentWait(entry: Entry, queue: LiveQueue): number {
  if (queuePosition(queue, entry) === null) return 0;
  return entryView(entry, queue).expected_wait_min ?? entry.quoted_wait_min;
}

type JoinRequest = Omit<NewEntry, 'id' | 'quoted_wait_min' | 'address_hash'> & {
  readonly subscriber: string | null;
  /** The credential of a place that the customer took as a guest; null when they name none. */
  readonly guestEntryId: string | null;
  readonly id: string | null;
  readonly by: ChangedBy | null;
};

interface PlaceRequest {
  readonly storeId: string;
  readonly customerId: string;
  readonly guestEntryId: string | null;
}

interface Joined {
  readonly entry: Entry;
  readonly reused: boolean;
  readonly expectedWaitMinutes: number;
}

interface TakeOver {
  readonly entryId: string;
  readonly storeId: string;
  readonly customerId: string;
}

/**
 * Makes a guest's place in a locked queue the signed-in customer's, and publishes that. The first to name the credential gets it; others
 * get QUEUE_ENTRY_NOT_FOUND. A customer with a place keeps the better one. Null when the guest's entry has ended.
 */
async function takeOverEntry(tx: Transaction, queue: LiveQueue<Entry>, request: TakeOver): Promise<Entry | null> {
  const { entryId, storeId, customerId } = request;
  const { entries } = queue;
  const named = entries.find(({ entry_id }) => entry_id === entryId) ?? (await findEntry(tx, entryId));
  if (named?.store_id !== storeId || (named.customer_id !== null && named.customer_id !== customerId))
    throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  if (named.ended_at !== null || named.customer_id === customerId) return named.ended_at === null ? named : null;
  const own = entries.find(({ customer_id }) => customer_id === customerId);
  if (!own) return await claim(tx, queue, named, customerId);
  const kept = placeToKeep(own, named);
  if (kept === 'guest') await moveEntry(tx, own, 'leave', { leftBy: 'owner' });
  if (kept === 'own') await moveEntry(tx, named, 'leave', { leftBy: 'owner' });
  return kept === 'guest' ? await claim(tx, queue, named, customerId) : own;
}

async function claim(tx: Transaction, queue: LiveQueue<Entry>, entry: Entry, customerId: string): Promise<Entry> {
  const claimed = { ...entry, customer_id: customerId, event_sequence: entry.event_sequence + 1 };
  const event = entryEvent(tx, queueClaimed, claimed, { position: queuePosition(queue, entry) });
  return await updateOwner(tx, entry, customerId, { event, at: tx.now });
}
