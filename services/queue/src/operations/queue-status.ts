import type { Caller, Database, Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isActive } from '../rules/moves.ts';
import { isOwn } from '../rules/ownership.ts';
import { type Entry, entryHeldBy, entryNamed } from '../tables/entries.ts';
import { settledQueue } from '../tables/settled-queue.ts';
import { shownEntry } from '../tables/shown-entry.ts';

/** How long an entry is shown after it ended, in milliseconds. */
const shownFor = 24 * 3_600_000;
/** Where no store is known: what a store has that says nothing else. */
const usualHoldMinutes = 5;

interface Asked {
  readonly entry_id?: string | undefined;
  readonly store_id?: string | undefined;
}

/** Where somebody stands. An entry that is unknown, somebody else's or long ended is the same nothing. */
export const queueStatus: Operation<typeof contracts.queueStatus, Context> = async ({ query, caller }, { database, now }) => {
  const at = now();
  const found = await ownEntry(database, query, caller);
  if (!found || endedLongAgo(found, at)) {
    const store = query.entry_id === undefined && caller.type === 'customer' ? query.store_id : undefined;
    const queue = store === undefined ? null : await settledQueue(database, store, at);
    return { entry: null, called_hold_minutes: queue?.calledHoldMinutes ?? usualHoldMinutes };
  }
  const queue = await settledQueue(database, found.store_id, at);
  const held = queue?.entries.find(({ id }) => id === found.id);
  // Not in the queue any more, though it was when it was found: it has ended since.
  const entry = held ?? (isActive(found.status) ? await ownEntry(database, query, caller) : found);
  return { entry: entry && shownEntry(entry, queue), called_hold_minutes: queue?.calledHoldMinutes ?? usualHoldMinutes };
};

const endedLongAgo = ({ ended_at }: Entry, at: Date): boolean => ended_at !== null && at.getTime() - Date.parse(ended_at) >= shownFor;

/** The entry somebody means, if it is theirs: the one they name, or the one a customer holds at a store. */
async function ownEntry(database: Database, { entry_id, store_id }: Asked, caller: Caller): Promise<Entry | null> {
  if (entry_id === undefined)
    return store_id !== undefined && caller.type === 'customer' ? await entryHeldBy(database, store_id, caller.id) : null;
  const named = z.guid().safeParse(entry_id).success ? await entryNamed(database, entry_id) : null;
  return named && isOwn(named, caller) ? named : null;
}
