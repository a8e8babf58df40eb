import type { Transaction } from '@corner/chassis';
import { type ChangedBy, type DataOf, waitlistJoined, waitlistLeft, waitlistOffered } from '@corner/contracts';
import { heldBy, offerMs, planLine } from '../../rules/bookings.ts';
import { type Booking, findLine } from '../../tables/session-bookings.ts';
import { type BookingChange, type Session, updateBooking } from '../../tables/sessions.ts';
import { timeOf, waitlistEvent } from './booking-event.ts';

type Cause = DataOf<typeof waitlistLeft>['cause'];
type Class = Pick<Session, 'store_id' | 'id'>;

/**
 * Lets those leave the line of a class whose kept place was not accepted in time, and all once it has begun; offers each free place to the
 * first in line whose party fits. The queue is locked.
 */
export async function offerPlaces(tx: Transaction, { store_id, session_id }: Pick<Booking, 'store_id' | 'session_id'>): Promise<void> {
  const line = await findLine(tx, store_id, session_id);
  const [first] = line;
  if (!first) return;
  const now = tx.now.getTime();
  const starts = Date.parse(first.starts_at);
  const open = first.session_state === 'open' && now < starts;
  const { leaving, offered } = planLine(line, { placesLeft: first.places_left, open, now });
  const cause = first.session_state === 'cancelled' ? 'class' : 'time';
  for (const booking of leaving) await leaveLine(tx, booking, { by: null, cause });
  const stays = line.filter((booking) => !leaving.includes(booking));
  const until = new Date(Math.min(now + offerMs, starts)).toISOString();
  for (const booking of offered) await offerPlace(tx, { ...booking, place_in_line: stays.indexOf(booking) + 1 }, until);
}

async function offerPlace(tx: Transaction, booking: Booking, offerUntil: string): Promise<void> {
  const change = { ...unchanged(booking), offerUntil, taken: booking.party_size };
  const about = { ...placeOf(booking), offer_until: offerUntil, cause: 'time' as const, by: null };
  const event = waitlistEvent(tx, waitlistOffered, after(booking), about);
  await updateBooking(tx, booking, change, { event, kind: 'waitlist_offered', at: tx.now, by: null });
}

/** The place that was kept for the booking is free; {@link offerPlaces} offers it to the next. */
export async function leaveLine(tx: Transaction, booking: Booking, { by, cause, detail = null }: Leaving): Promise<void> {
  const change = { ...unchanged(booking), status: 'cancelled' as const, ends: true, taken: -heldBy(booking) };
  const about = { ...placeOf(booking), offer_until: booking.offer_until, cause, by };
  const event = waitlistEvent(tx, waitlistLeft, after(booking), about);
  await updateBooking(tx, booking, change, { event, kind: 'waitlist_left', at: tx.now, by, detail });
}

/** Says the new time of a class to those who wait for a place in it. */
export async function moveLine(tx: Transaction, { store_id, id }: Class, { previousFrom, by }: MovedLine): Promise<void> {
  for (const booking of await findLine(tx, store_id, id)) {
    const about = { ...placeOf(booking), previousFrom, offer_until: booking.offer_until, cause: 'class' as const, by };
    const event = waitlistEvent(tx, waitlistJoined, after(booking), about);
    const change = { ...unchanged(booking), offerUntil: booking.offer_until };
    await updateBooking(tx, booking, change, { event, kind: 'booking_moved', at: tx.now, by });
  }
}

export async function endLine(tx: Transaction, { store_id, id }: Class, by: ChangedBy): Promise<void> {
  for (const booking of await findLine(tx, store_id, id)) await leaveLine(tx, booking, { by, cause: 'class' });
}

const unchanged = (booking: Booking): BookingChange => ({
  status: booking.status,
  ends: false,
  time: timeOf(booking),
  state: null,
  started: false,
  sessionId: booking.session_id,
  taken: 0,
});

const after = (booking: Booking): Booking => ({ ...booking, event_sequence: booking.event_sequence + 1 });

const placeOf = (booking: Booking) => ({ time: timeOf(booking), place: booking.place_in_line ?? 1 });

interface Leaving {
  readonly by: ChangedBy | null;
  readonly cause: Cause;
  readonly detail?: string | null;
}

interface MovedLine {
  /** The start before the change, in epoch milliseconds. */
  readonly previousFrom: number;
  readonly by: ChangedBy;
}
