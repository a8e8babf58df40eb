import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { assignEntry } from '../transactions/assign-entry.ts';

/** Gives a party its chairs from now on. */
export const assignQueueEntry: Operation<typeof contracts.assignQueueEntry, Context> = async ({ params, body }, { database }) => {
  const { entry, queue } = await database.transaction((tx) =>
    assignEntry(tx, { storeId: body.store_id, entryId: params.entry_id, unitId: body.unit_id ?? null }),
  );
  return { entry: staffEntryView(entry, queue) };
};
