import type { Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { isOwnEntry } from '../rules/entry-view.ts';
import { isActive } from '../rules/moves.ts';
import { findEntry } from '../tables/entries.ts';
import { leaveQueue as leaveQueueIn } from '../transactions/leave-queue.ts';

/** Ends the caller's entry. An entry that has ended already does not change. */
export const leaveQueue: Operation<typeof contracts.leaveQueue, Context> = async ({ body, caller }, { database }) => {
  const entry = await findEntry(database, body.entry_id);
  if (!entry || !isOwnEntry(entry, caller)) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  if (!isActive(entry.status)) return { entry_id: entry.entry_id, status: entry.status, noop: true };
  const { status, left } = await database.transaction((tx) => leaveQueueIn(tx, entry));
  return { entry_id: entry.entry_id, status, noop: !left };
};
