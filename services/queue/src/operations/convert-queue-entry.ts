import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { moveEntryAsStaff } from '../transactions/move-entry-as-staff.ts';

/** Ends an entry because the customer takes a booking for later, which is made in the diary. */
export const convertQueueEntry: Operation<typeof contracts.convertQueueEntry, Context> = async ({ params, body }, { database }) => {
  const { entry, queue } = await database.transaction((tx) =>
    moveEntryAsStaff(tx, { storeId: body.store_id, entryId: params.entry_id, move: 'convert' }, () => ({
      appointmentId: body.appointment_id ?? null,
    })),
  );
  return { entry: staffEntryView(entry, queue) };
};
