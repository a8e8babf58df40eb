import type { Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { settledQueue } from '../tables/settled-queue.ts';
import { shownToStore } from '../tables/shown-entry.ts';

/** The store's live queue: who is called, who waits, who is in a chair. */
export const listQueueEntries: Operation<typeof contracts.listQueueEntries, Context> = async ({ query }, { database, now }) => {
  const queue = await settledQueue(database, query.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  return { entries: queue.entries.map((entry) => shownToStore(entry, queue)), called_hold_minutes: queue.calledHoldMinutes };
};
