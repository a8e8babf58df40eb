import type { Caller, Database, Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { entryView } from '../rules/entry-view.ts';
import { isOwnEntry } from '../rules/is-own-entry.ts';
import { isActive } from '../rules/moves.ts';
import { type Entry, findActiveEntry, findEntry } from '../tables/entries.ts';
import { readSettledQueue } from '../transactions/read-settled-queue.ts';

/** How long an entry is shown after it ended, in milliseconds. */
const shownAfterEnd = 24 * 3_600_000;
/** Returned when no store is known; it is the directory's default. */
const defaultHoldMinutes = 5;

/** Returns the caller's entry. An entry that is unknown, belongs to someone else or ended a day ago is null in the response. */
export const queueStatus: Operation<typeof contracts.queueStatus, Context> = async ({ query, caller }, { database, now }) => {
  const time = now();
  const stored = await findOwnEntry(database, query, caller);
  if (!stored || endedLongAgo(stored, time)) {
    const storeId = query.entry_id === undefined && caller.type === 'customer' ? query.store_id : undefined;
    const queue = storeId === undefined ? null : await readSettledQueue(database, storeId, time);
    return { entry: null, called_hold_minutes: queue?.calledHoldMinutes ?? defaultHoldMinutes };
  }
  const queue = await readSettledQueue(database, stored.store_id, time);
  const active = queue?.entries.find(({ id }) => id === stored.id);
  // An entry that was active when it was read, and is not in the queue now, has ended in between: it is read again.
  const entry = active ?? (isActive(stored.status) ? await findOwnEntry(database, query, caller) : stored);
  return { entry: entry && entryView(entry, queue), called_hold_minutes: queue?.calledHoldMinutes ?? defaultHoldMinutes };
};

/** Returns the entry the query names, or a customer's active entry at the store it names; null when it is not the caller's. */
async function findOwnEntry(database: Database, { entry_id, store_id }: StatusQuery, caller: Caller): Promise<Entry | null> {
  if (entry_id === undefined)
    return store_id !== undefined && caller.type === 'customer' ? await findActiveEntry(database, store_id, caller.id) : null;
  const entry = z.guid().safeParse(entry_id).success ? await findEntry(database, entry_id) : null;
  return entry && isOwnEntry(entry, caller) ? entry : null;
}

const endedLongAgo = ({ ended_at }: Entry, now: Date): boolean =>
  ended_at !== null && now.getTime() - Date.parse(ended_at) >= shownAfterEnd;

interface StatusQuery {
  readonly entry_id?: string | undefined;
  readonly store_id?: string | undefined;
}
