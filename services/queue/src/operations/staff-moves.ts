import type { Context } from '../context.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { moveEntryAsStaff, type StaffMove } from '../transactions/move-entry-as-staff.ts';

/** Returns the operation that makes one of the staff's moves. It returns the entry after the move; a repeat changes nothing. */
const operationOf =
  (move: StaffMove) =>
  async ({ params, body }: MoveRequest, { database }: Context) => {
    const { store_id: storeId, unit_id: unitId = null, appointment_id: appointmentId = null } = body;
    const request = { storeId, entryId: params.entry_id, move, unitId, appointmentId };
    const { entry, queue } = await database.transaction((tx) => moveEntryAsStaff(tx, request));
    return { entry: staffEntryView(entry, queue) };
  };

/** The staff's moves, by the operation that makes them. */
export const staffMoves = {
  callQueueEntry: operationOf('call'),
  recallQueueEntry: operationOf('recall'),
  assignQueueEntry: operationOf('assign'),
  completeQueueEntry: operationOf('complete'),
  noShowQueueEntry: operationOf('noShow'),
  convertQueueEntry: operationOf('convert'),
};

interface MoveRequest {
  readonly params: { readonly entry_id: string };
  readonly body: {
    readonly store_id: string;
    /** The chair that `assignQueueEntry` is to give. */
    readonly unit_id?: string | null | undefined;
    /** The booking that `convertQueueEntry` names. */
    readonly appointment_id?: string | null | undefined;
  };
}
