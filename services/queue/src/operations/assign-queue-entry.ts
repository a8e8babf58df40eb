import type { Operation, Transaction } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { type Place, placeParties } from '../rules/wait/place-parties.ts';
import type { Entry } from '../tables/entries.ts';
import { type LiveQueue, partyOf } from '../tables/live-queue.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** Gives somebody a chair from now, and books it while the queue is locked: no chair is given twice. */
export const assignQueueEntry: Operation<typeof contracts.assignQueueEntry, Context> = async (request, context) => {
  const appointmentId = context.newId();
  return await moveAsStaff(request, context, 'assign', async (tx, entry, queue) => {
    await bookSeats(tx, appointmentId, entry, seatsNow(queue, entry, request.body.unit_id ?? null));
    return { appointmentId };
  });
};

/**
 * The chairs of a party, the first one's from now: the chair the staff say, else the one they wish, else any. Throws
 * UNIT_NOT_FOUND, and NO_CAPACITY_TODAY when no such chair is free for as long as it takes.
 */
function seatsNow({ floor }: LiveQueue, entry: Entry, unitId: string | null): readonly Place[] {
  if (unitId !== null && !floor.chairs.some(({ id }) => id === unitId)) throw new Problem('UNIT_NOT_FOUND');
  const party = partyOf(entry);
  // Whom the staff seat they may seat after closing.
  const open = { ...floor, closesAt: Number.POSITIVE_INFINITY };
  const [first] = placeParties(open, [{ ...party, size: 1, chairId: unitId ?? party.chairId }])[0] ?? [];
  if (!first || first.from > floor.now) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair for this is free from now.' });
  if (party.size === 1) return [first];
  const rest = { ...party, size: party.size - 1, chairId: unitId === null ? party.chairId : null };
  const [others] = placeParties({ ...open, taken: [...floor.taken, { ...first, started: false }] }, [rest]);
  if (!others) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair is left for the rest of the party.' });
  return [first, ...others];
}

async function bookSeats(tx: Transaction, appointmentId: string, { id, store_id }: Entry, places: readonly Place[]): Promise<void> {
  const rows = places.map(({ chairId, from, to }) => [chairId, new Date(from).toISOString(), new Date(to).toISOString()]);
  await tx.query(sql.prepared('book-seats', z.object({}))`
    insert into seat (appointment_id, entry_id, store_id, unit_id, starts_at, ends_at)
    select ${appointmentId}::uuid, ${id}::uuid, ${store_id}::uuid, unit_id, starts_at, ends_at
    from ${sql.unnest(rows, ['uuid', 'timestamptz', 'timestamptz'])} as place (unit_id, starts_at, ends_at)`);
}
