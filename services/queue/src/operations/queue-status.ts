import type { Caller, Database, Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { entryView, isOwnEntry, staffEntryView } from '../rules/entry-view.ts';
import type { LiveQueue } from '../rules/live-queue.ts';
import type { Entry } from '../tables/entries.ts';
import { readSettledEntry, readSettledQueue } from '../transactions/read-settled-queue.ts';

/** How long an entry is shown after it ended, in milliseconds. */
const shownAfterEnd = 24 * 3_600_000;
/** Returned when no store is known; it is the directory's default. */
const defaultHoldMinutes = 5;

/** Returns the caller's entry. An entry that is unknown, belongs to someone else or ended a day ago is null in the response. */
export const queueStatus: Operation<typeof contracts.queueStatus, Context> = async ({ query, caller }, { database, now }) => {
  const { entry, queue } = await findOwnEntry(database, query, { caller, now: now() });
  return { entry: entry && entryView(entry, queue), called_hold_minutes: queue?.calledHoldMinutes ?? defaultHoldMinutes };
};

/** Returns the store's active entries: called, waiting and in a chair, in that order. */
export const listQueueEntries: Operation<typeof contracts.listQueueEntries, Context> = async ({ query }, { database, now }) => {
  const queue = await readSettledQueue(database, query.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  return { entries: queue.entries.map((entry) => staffEntryView(entry, queue)), called_hold_minutes: queue.calledHoldMinutes };
};

/** Returns the entry the query names, or a customer's active entry at the store it names; null when it is not the caller's. */
async function findOwnEntry(database: Database, { entry_id, store_id }: StatusQuery, { caller, now }: Asking): Promise<Found> {
  if (entry_id !== undefined) {
    const found = z.guid().safeParse(entry_id).success ? await readSettledEntry(database, entry_id, now) : null;
    return found && isOwnEntry(found.entry, caller) && !endedLongAgo(found.entry, now) ? found : { entry: null, queue: null };
  }
  if (store_id === undefined || caller.type !== 'customer') return { entry: null, queue: null };
  const queue = await readSettledQueue(database, store_id, now);
  return { entry: queue?.entries.find(({ customer_id }) => customer_id === caller.id) ?? null, queue };
}

const endedLongAgo = ({ ended_at }: Entry, now: Date): boolean =>
  ended_at !== null && now.getTime() - Date.parse(ended_at) >= shownAfterEnd;

interface StatusQuery {
  readonly entry_id?: string | undefined;
  readonly store_id?: string | undefined;
}

interface Asking {
  readonly caller: Caller;
  readonly now: Date;
}
interface Found {
  readonly entry: Entry | null;
  readonly queue: LiveQueue<Entry> | null;
}
