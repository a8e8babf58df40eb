import type { Transaction } from '@corner/chassis';
import { partyOf } from '../rules/live-queue.ts';
import { seatsFromNow } from '../rules/wait/seat-parties.ts';
import { insertSeats } from '../tables/seats.ts';
import { type MovedEntry, moveEntryAsStaff } from './move-entry-as-staff.ts';

/**
 * Gives a party its chairs from now on and records them as one appointment. The queue's lock ensures that no chair is given twice. Throws
 * UNIT_NOT_FOUND and NO_CAPACITY_TODAY, besides what every staff move throws.
 */
export const assignEntry = async (tx: Transaction, { storeId, entryId, unitId }: AssignRequest): Promise<MovedEntry> =>
  await moveEntryAsStaff(tx, { storeId, entryId, move: 'assign' }, async (entry, { floor }) => {
    const appointmentId = tx.newId();
    await insertSeats(tx, appointmentId, entry, seatsFromNow(floor, partyOf(entry), unitId));
    return { appointmentId };
  });

interface AssignRequest {
  readonly storeId: string;
  readonly entryId: string;
  /** The chair the staff choose; null for the customer's preference or any. */
  readonly unitId: string | null;
}
