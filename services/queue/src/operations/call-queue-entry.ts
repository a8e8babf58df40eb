import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { callEntry } from '../transactions/call-entry.ts';

/** Calls a waiting entry. Its place is held for the store's hold time; a second call does not extend it. */
export const callQueueEntry: Operation<typeof contracts.callQueueEntry, Context> = async ({ params, body }, { database }) => {
  const { entry, queue } = await database.transaction((tx) => callEntry(tx, { storeId: body.store_id, entryId: params.entry_id }));
  return { entry: staffEntryView(entry, queue) };
};
