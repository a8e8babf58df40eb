import type { Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { readSettledQueue } from '../transactions/read-settled-queue.ts';

/** Returns the store's active entries: called, waiting and in a chair, in that order. */
export const listQueueEntries: Operation<typeof contracts.listQueueEntries, Context> = async ({ query }, { database, now }) => {
  const queue = await readSettledQueue(database, query.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  return { entries: queue.entries.map((entry) => staffEntryView(entry, queue)), called_hold_minutes: queue.calledHoldMinutes };
};
