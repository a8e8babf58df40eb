import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import { isConfirmed } from '../rules/counted.ts';
import { queuePosition } from '../rules/entry-view.ts';
import type { LiveQueue } from '../rules/live-queue.ts';
import { checkMove, isActive, type Move, moves } from '../rules/moves.ts';
import { partyOf } from '../rules/wait/floor.ts';
import { seatsFromNow } from '../rules/wait/seat-parties.ts';
import { type Entry, findEntry, insertSeats } from '../tables/entries.ts';
import { bookIn } from './bookings/make-booking.ts';
import { lockQueue, readQueue } from './lock-queue.ts';
import { type MoveChanges, moveEntry } from './move-entry.ts';

/**
 * Makes a move of the staff and returns entry and queue after it; a repeat changes nothing. Throws QUEUE_ENTRY_NOT_FOUND,
 * INVALID_TRANSITION and what {@link changesOf} throws.
 */
export async function moveEntryAsStaff(tx: Transaction, request: StaffMoveRequest): Promise<MovedEntry> {
  const { storeId, entryId, move, by } = request;
  const queue = await lockQueue(tx, storeId);
  const entry = queue?.entries.find(({ entry_id }) => entry_id === entryId) ?? (await findEntry(tx, entryId));
  if (!queue || entry?.store_id !== storeId) throw new Problem('QUEUE_ENTRY_NOT_FOUND');
  if (move === 'confirm' && isActive(entry.status) && isConfirmed(entry)) return { entry, queue };
  const verdict = checkMove(entry.status, move);
  if (verdict === 'refused') {
    const { from, to } = moves[move];
    throw new Problem('INVALID_TRANSITION', { message: `The entry is ${entry.status}; to be ${to} it must be ${from.join(' or ')}.` });
  }
  if (verdict === 'already-made') return { entry, queue };
  const moved = await moveEntry(tx, entry, move, { ...(await changesOf[move]({ tx, entry, queue, request })), by });
  return { entry: moved, queue: await readQueue(tx, storeId, tx.now) };
}

/**
 * Returns a move's changes besides the status, under the queue's lock and only when the move is made. A second call does not extend the
 * hold; a recalled entry takes the position of its time of joining; the chairs of a party are one appointment.
 */
const changesOf: Readonly<Record<StaffMove, (made: AllowedMove) => MoveChanges | Promise<MoveChanges>>> = {
  confirm: ({ entry, queue }) => ({ position: queuePosition(queue, entry) ?? 1 }),
  call: ({ queue }) => ({ holdMinutes: queue.calledHoldMinutes }),
  recall: ({ entry, queue }) => {
    const ahead = queue.entries.filter(({ status, joined_at }) => status === 'waiting' && joined_at < entry.joined_at);
    return { position: ahead.length + 1 };
  },
  assign: async ({ tx, entry, queue, request }) => {
    const appointmentId = tx.newId();
    await insertSeats(tx, appointmentId, entry, seatsFromNow(queue.floor, partyOf(entry), request.unitId));
    return { appointmentId };
  },
  complete: () => ({}),
  noShow: () => ({}),
  /** The booking is made now, or was made in the directory's diary, or will be. */
  convert: async ({ tx, entry, queue, request }) => ({
    appointmentId: request.booking ? await bookInstead(tx, queue, entry, request.booking, request.by) : request.appointmentId,
  }),
};

export type StaffMove = Exclude<Move, 'leave'>;

interface StaffMoveRequest {
  readonly storeId: string;
  readonly entryId: string;
  readonly move: StaffMove;
  readonly by: ChangedBy;
  /** The chair that the staff choose for `assign`; null for the customer's preference or any. */
  readonly unitId: string | null;
  readonly appointmentId: string | null;
  readonly booking: WantedBooking | null;
}

interface WantedBooking {
  readonly appointmentId: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly unitId: string | null;
}

async function bookInstead(tx: Transaction, queue: LiveQueue<Entry>, entry: Entry, wanted: WantedBooking, by: ChangedBy): Promise<string> {
  if (entry.party_size > 1)
    throw new Problem('VALIDATION_FAILED', {
      message: 'body.starts_at: a party is booked one by one; make the bookings, and send the id of the first as appointment_id',
    });
  const serviceId = entry.service_id ?? queue.floor.services[0]?.id;
  if (serviceId === undefined || !queue.floor.services.some(({ id }) => id === serviceId))
    throw new Problem('TIME_NOT_FREE', { message: 'The store does not offer the service of this entry any more.' });
  const { appointment_id } = await bookIn(tx, queue, {
    id: null,
    appointmentId: wanted.appointmentId,
    storeId: entry.store_id,
    customerId: entry.customer_id,
    guestName: entry.guest_name,
    guestPhone: entry.guest_phone,
    subscriber: null,
    by,
    wanted: { serviceId, from: wanted.from, unitId: wanted.unitId ?? entry.preferred_unit_id },
  });
  return appointment_id;
}

interface AllowedMove {
  readonly tx: Transaction;
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry>;
  readonly request: StaffMoveRequest;
}

interface MovedEntry {
  readonly entry: Entry;
  readonly queue: LiveQueue<Entry> | null;
}
