import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { moveEntryAsStaff } from '../transactions/move-entry-as-staff.ts';

/** Records that a customer in a chair has been served, and frees the chair. */
export const completeQueueEntry: Operation<typeof contracts.completeQueueEntry, Context> = async ({ params, body }, { database }) => {
  const { entry, queue } = await database.transaction((tx) =>
    moveEntryAsStaff(tx, { storeId: body.store_id, entryId: params.entry_id, move: 'complete' }),
  );
  return { entry: staffEntryView(entry, queue) };
};
