import type { Transaction } from '@corner/chassis';
import { bookingMade, type ChangedBy } from '@corner/contracts';
import { isLive, isPublished, statusOf } from '../../rules/bookings.ts';
import { type Booking, readBooker } from '../../tables/session-bookings.ts';
import { updateBooking } from '../../tables/sessions.ts';
import { awaitDeposit } from './await-deposit.ts';
import { bookingEvent, timeOf } from './booking-event.ts';
import { type BookingKey, lockBooking, refused, reread } from './lock-booking.ts';

/**
 * Books the place that is kept for one who waits; a repeat changes nothing. Throws BOOKING_NOT_FOUND, and INVALID_TRANSITION when no place
 * is kept.
 */
export async function acceptPlace(tx: Transaction, { by, ...key }: BookingKey): Promise<Booking> {
  const { booking } = await lockBooking(tx, key);
  if (isLive(booking.status) && booking.status !== 'waiting') return booking;
  const now = tx.now.getTime();
  const isKept = booking.offer_until !== null && now < Date.parse(booking.offer_until) && now < Date.parse(booking.starts_at);
  if (!isKept) throw refused(booking, 'no place is kept for it');
  const booker = await bookerOf(tx, booking);
  const itemId = by || booking.customer_id === null ? null : booker.deposit_item_id;
  const status = by ? 'booked' : itemId === null ? statusOf(booker) : 'unpaid';
  await bookPlace(tx, booking, { status, by });
  if (itemId !== null) await awaitDeposit(tx, booking, itemId);
  return await reread(tx, booking);
}

/** Books the place that a booking has or that is kept for it, and publishes that, unless its deposit is due. */
export async function bookPlace(tx: Transaction, booking: Booking, { status, by }: BookedPlace): Promise<void> {
  const time = timeOf(booking);
  const change = { status, ends: false, time, state: null, started: false, sessionId: booking.session_id, taken: 0 };
  const after = { ...booking, status, event_sequence: booking.event_sequence + 1 };
  const event = isPublished(after) ? bookingEvent(tx, bookingMade, after, { time, by }) : null;
  await updateBooking(tx, booking, change, { event, kind: event ? 'booking_made' : 'booking_held', at: tx.now, by });
}

export const bookerOf = (tx: Transaction, { store_id: storeId, customer_id: customerId }: Booking) =>
  readBooker(tx, { storeId, customerId, addressHash: null, phone: null, now: tx.now });

interface BookedPlace {
  readonly status: 'unpaid' | 'requested' | 'booked';
  readonly by: ChangedBy | null;
}
