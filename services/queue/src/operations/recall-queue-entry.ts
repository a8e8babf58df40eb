import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { recallEntry } from '../transactions/recall-entry.ts';

/** Takes a call back. The entry waits again in the position that its time of joining gives it. */
export const recallQueueEntry: Operation<typeof contracts.recallQueueEntry, Context> = async ({ params, body }, { database }) => {
  const { entry, queue } = await database.transaction((tx) => recallEntry(tx, { storeId: body.store_id, entryId: params.entry_id }));
  return { entry: staffEntryView(entry, queue) };
};
