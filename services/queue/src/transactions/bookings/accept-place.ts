import type { Transaction } from '@corner/chassis';
import { bookingMade } from '@corner/contracts';
import { isLive, needsConfirming } from '../../rules/bookings.ts';
import { type Booking, readBooker } from '../../tables/session-bookings.ts';
import { updateBooking } from '../../tables/sessions.ts';
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
  const status = by ? 'booked' : await statusOf(tx, booking);
  const time = timeOf(booking);
  const change = { status, ends: false, time, state: null, started: false, sessionId: booking.session_id, taken: 0 };
  const after = { ...booking, status, event_sequence: booking.event_sequence + 1 };
  await updateBooking(tx, booking, change, {
    event: bookingEvent(tx, bookingMade, after, { time, by }),
    kind: 'booking_made',
    at: tx.now,
    by,
  });
  return await reread(tx, booking);
}

async function statusOf(tx: Transaction, { store_id: storeId, customer_id: customerId }: Booking): Promise<'requested' | 'booked'> {
  const booker = await readBooker(tx, { storeId, customerId, addressHash: null, phone: null, now: tx.now });
  return needsConfirming(booker) ? 'requested' : 'booked';
}
