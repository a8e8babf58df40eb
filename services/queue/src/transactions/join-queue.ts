import type { Transaction } from '@corner/chassis';
import { Problem, queueJoined } from '@corner/contracts';
import { entryView, queuePosition } from '../rules/entry-view.ts';
import { type LiveQueue, partyOf } from '../rules/live-queue.ts';
import { quoteWait } from '../rules/wait/quote-wait.ts';
import type { Entry } from '../tables/entries.ts';
import { insertEntry, type NewEntry } from '../tables/write-entry.ts';
import { lockQueue } from './lock-queue.ts';
import { publishEntryEvent } from './publish-entry-event.ts';

/**
 * Adds an entry at the end of a store's queue and quotes its wait. A customer who has an active entry there gets that entry back. Throws
 * STORE_NOT_FOUND, WALK_INS_NOT_ACCEPTED, SERVICE_NOT_FOUND, UNIT_NOT_FOUND and NO_CAPACITY_TODAY.
 */
export async function joinQueue(tx: Transaction, request: JoinRequest): Promise<Joined> {
  const queue = await lockQueue(tx, request.store_id);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const active = queue.entries.find(({ customer_id }) => customer_id !== null && customer_id === request.customer_id);
  if (active) return { entry: active, reused: true, expectedWaitMinutes: currentWait(active, queue) };
  if (!queue.walkInsAccepted) throw new Problem('WALK_INS_NOT_ACCEPTED');
  const ahead = queue.entries.filter(({ status }) => status !== 'assigned');
  const quoted = quoteWait(queue.floor, ahead.map(partyOf), partyOf(request));
  const entry = await insertEntry(tx, { ...request, id: tx.newId(), quoted_wait_min: quoted }, tx.now);
  const waiting = queue.entries.filter(({ status }) => status === 'waiting');
  await publishEntryEvent(tx, queueJoined, entry, waiting.length + 1);
  return { entry, reused: false, expectedWaitMinutes: quoted };
}

/** Returns the wait in minutes: none for an entry that is called or in a chair, and the quoted wait when the day has no room left. */
function currentWait(entry: Entry, queue: LiveQueue): number {
  if (queuePosition(queue, entry) === null) return 0;
  return entryView(entry, queue).expected_wait_min ?? entry.quoted_wait_min;
}

type JoinRequest = Omit<NewEntry, 'id' | 'quoted_wait_min'>;

interface Joined {
  readonly entry: Entry;
  /** Whether the customer had the entry before. */
  readonly reused: boolean;
  readonly expectedWaitMinutes: number;
}
