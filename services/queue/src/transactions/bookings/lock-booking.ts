import type { Transaction } from '@corner/chassis';
import { type ChangedBy, Problem } from '@corner/contracts';
import { type BookingStatus, shownStatus } from '../../rules/bookings.ts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import { type Booking, findBooking, findBookingById } from '../../tables/session-bookings.ts';
import { lockQueue } from '../lock-queue.ts';

/** `by` is null for the booking's owner. */
export interface BookingKey {
  readonly storeId: string;
  readonly appointmentId: string;
  readonly by: ChangedBy | null;
}

/** Throws BOOKING_NOT_FOUND. */
export async function lockBooking(
  tx: Transaction,
  { storeId, appointmentId }: Omit<BookingKey, 'by'>,
): Promise<{ queue: LiveQueue; booking: Booking }> {
  const queue = await lockQueue(tx, storeId);
  const booking = queue && (await findBooking(tx, storeId, appointmentId));
  if (!booking) throw new Problem('BOOKING_NOT_FOUND');
  return { queue, booking };
}

export const refused = ({ status }: { readonly status: BookingStatus }, wanted: string): Problem => {
  const is = status === 'waiting' ? 'on the waiting list of its class' : status === 'unpaid' ? 'not paid' : shownStatus(status);
  return new Problem('INVALID_TRANSITION', { message: `The booking is ${is}; ${wanted}.` });
};

export async function reread(tx: Transaction, { store_id, id }: Pick<Booking, 'store_id' | 'id'>): Promise<Booking> {
  const found = await findBookingById(tx, store_id, id);
  if (!found) throw new Error('a booking that was changed is not there');
  return found;
}
