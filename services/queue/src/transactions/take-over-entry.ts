import type { Transaction } from '@corner/chassis';
import { Problem, queueClaimed } from '@corner/contracts';
import { queuePosition } from '../rules/entry-view.ts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { placeToKeep } from '../rules/place-to-keep.ts';
import { type Entry, findEntry } from '../tables/entries.ts';
import { updateOwner } from '../tables/write-entry.ts';
import { entryEvent } from './entry-event.ts';
import { moveEntry } from './move-entry.ts';

interface TakeOver {
  /** The guest's credential, which proves whose place it is. */
  readonly entryId: string;
  readonly storeId: string;
  readonly customerId: string;
}

/**
 * Makes a guest's place in a locked queue the place of the customer who has signed in, publishes that, and returns the customer's place.
 * The first customer who names the credential gets it: from then on it is theirs, and another one gets QUEUE_ENTRY_NOT_FOUND as for an
 * unknown id. A customer who has a place already keeps the better one and leaves the other. Returns null when the guest's entry has ended,
 * so that there is no place to keep.
 */
export async function takeOverEntry(tx: Transaction, queue: LiveQueue<Entry>, request: TakeOver): Promise<Entry | null> {
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
  return await updateOwner(tx, entry.id, customerId, event);
}
