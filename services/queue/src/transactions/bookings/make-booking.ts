import type { Transaction } from '@corner/chassis';
import { bookingMade, type ChangedBy, Problem, phoneAtStore, waitlistJoined } from '@corner/contracts';
import { isPublished, mayBook, statusOf } from '../../rules/bookings.ts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import { type Booking, findBookingById, findLine, readBooker } from '../../tables/session-bookings.ts';
import {
  findSession,
  insertAppointment,
  insertClassBooking,
  type NewBooking,
  type SessionTime,
  type Written,
} from '../../tables/sessions.ts';
import { lockQueue } from '../lock-queue.ts';
import { awaitDeposit } from './await-deposit.ts';
import { bookingEvent, orNotFree, timeOf, waitlistEvent } from './booking-event.ts';
import { findChair, serviceIn } from './find-chair.ts';
import { reread } from './lock-booking.ts';

/**
 * Books a time or a place in a class; a repeat under one id returns what it made. Throws STORE_NOT_FOUND, BOOKINGS_NOT_ACCEPTED,
 * SERVICE_NOT_FOUND, UNIT_NOT_FOUND, SESSION_NOT_FOUND, TIME_NOT_FREE, TOO_MANY_BOOKINGS, and VALIDATION_FAILED for a phone number.
 */
export async function makeBooking(tx: Transaction, request: BookingRequest): Promise<Booking> {
  const queue = await lockQueue(tx, request.storeId, request.subscriber);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  return await bookIn(tx, queue, request);
}

export async function bookIn(tx: Transaction, queue: LiveQueue, request: BookingRequest): Promise<Booking> {
  const { storeId, by } = request;
  const made = request.id === null ? null : await findBookingById(tx, storeId, request.id);
  if (made) return made;
  const phone = request.guestPhone === null ? null : phoneAtStore(request.guestPhone, queue.timeZone, 'guest_phone');
  const addressHash = request.customerId === null && !by ? queue.callerHash : null;
  const { status, depositItemId } = by ? bookedByStaff : await statusFor(tx, request, { phone, addressHash });
  const id = request.id ?? tx.newId();
  const booking = { ...ownerOf(request), id, guest_phone: phone, address_hash: addressHash, status } as const;
  const { wanted } = request;
  if ('sessionId' in wanted) {
    const { sessionId: session_id, partySize: party_size, wait } = wanted;
    const waiting = await bookClass(tx, queue, { ...booking, session_id, party_size }, { by, wait });
    if (waiting) return waiting;
  } else await bookAppointment(tx, queue, { booking: { ...booking, session_id: tx.newId(), party_size: 1 }, wanted, by });
  const written = await findBookingById(tx, storeId, id);
  if (!written) throw new Error('a booking that was inserted is not there');
  if (written.status !== 'unpaid' || depositItemId === null) return written;
  await awaitDeposit(tx, written, depositItemId);
  return await reread(tx, written);
}

const bookedByStaff = { status: 'booked', depositItemId: null } as const;

const ownerOf = ({ appointmentId, storeId, customerId, guestName }: BookingRequest) => ({
  appointment_id: appointmentId,
  store_id: storeId,
  customer_id: customerId,
  guest_name: guestName,
});

async function statusFor(
  tx: Transaction,
  { storeId, customerId }: BookingRequest,
  { phone, addressHash }: GuestIds,
): Promise<{ readonly status: 'unpaid' | 'booked' | 'requested'; readonly depositItemId: string | null }> {
  const booker = await readBooker(tx, { storeId, customerId, addressHash, phone, now: tx.now });
  if (!booker.accepted) throw new Problem('BOOKINGS_NOT_ACCEPTED');
  if (!mayBook({ customerId, ahead: booker.ahead, aheadOfPhone: booker.ahead_of_phone })) throw new Problem('TOO_MANY_BOOKINGS');
  const { deposit_item_id: depositItemId } = booker;
  if (depositItemId !== null && customerId === null)
    throw new Problem('UNAUTHENTICATED', {
      message: 'The store takes a deposit for a booking: sign in, so that it can be paid and refunded.',
    });
  return { status: depositItemId === null ? statusOf(booker) : 'unpaid', depositItemId };
}

async function bookAppointment(tx: Transaction, queue: LiveQueue, { booking, wanted, by }: Appointment): Promise<void> {
  const service = serviceIn(queue, wanted.serviceId);
  const time = await findChair(tx, queue, booking.store_id, { service, from: wanted.from, unitId: wanted.unitId, forStaff: by !== null });
  const written = writtenAs(tx, queue, { booking, places: 1, serviceName: service.name, time, by });
  await orNotFree(insertAppointment(tx, booking, { ...time, serviceId: service.id }, written));
}

/**
 * The queue is locked, so the places read here are those that are left. Returns the booking with which the customer waits for the class
 * already, else null.
 */
async function bookClass(tx: Transaction, queue: LiveQueue, booking: NewBooking, { by, wait }: ClassRequest): Promise<Booking | null> {
  const session = await findSession(tx, booking.store_id, booking.session_id);
  if (!session) throw new Problem('SESSION_NOT_FOUND');
  const time = timeOf(session);
  if (session.state !== 'open' || time.from <= tx.now.getTime())
    throw new Problem('TIME_NOT_FREE', { message: 'The class has begun, or was cancelled.' });
  const serviceName = queue.floor.services.find(({ id }) => id === session.service_id)?.name ?? null;
  const made = { booking, places: session.places, serviceName, time, by };
  const left = session.places - session.taken;
  if (booking.party_size > session.places)
    throw new Problem('TIME_NOT_FREE', { message: `The class has ${session.places} places in all.` });
  if (wait && left < booking.party_size) return await joinLine(tx, queue, made);
  await orNotFree(insertClassBooking(tx, booking, writtenAs(tx, queue, made)), `The class has ${left} places left.`);
  return null;
}

async function joinLine(tx: Transaction, queue: LiveQueue, { booking, places, serviceName, time, by }: Made): Promise<Booking | null> {
  const line = await findLine(tx, booking.store_id, booking.session_id);
  const waiting = booking.customer_id === null ? undefined : line.find(({ customer_id }) => customer_id === booking.customer_id);
  if (waiting) return waiting;
  const inLine = { ...booking, places, service_name: serviceName, time_zone: queue.timeZone, event_sequence: 1 };
  const cause = by ? ('store' as const) : ('owner' as const);
  const event = waitlistEvent(tx, waitlistJoined, inLine, { time, place: line.length + 1, offer_until: null, cause, by });
  await insertClassBooking(tx, { ...booking, status: 'waiting' }, { event, kind: 'waitlist_joined', at: tx.now, by });
  return null;
}

function writtenAs(tx: Transaction, queue: LiveQueue, { booking, places, serviceName, time, by }: Made): Written {
  const made = { at: tx.now, by };
  if (!isPublished(booking)) return { ...made, event: null, kind: 'booking_held' };
  const after = { ...booking, places, service_name: serviceName, time_zone: queue.timeZone, event_sequence: 1 };
  return { ...made, event: bookingEvent(tx, bookingMade, after, { time, by }), kind: 'booking_made' };
}

interface Made {
  readonly booking: NewBooking;
  readonly places: number;
  readonly serviceName: string | null;
  readonly time: SessionTime;
  readonly by: ChangedBy | null;
}

interface ClassRequest {
  readonly by: ChangedBy | null;
  /** Whether to join the line of a class without room. */
  readonly wait: boolean;
}

interface Appointment {
  readonly booking: NewBooking;
  readonly wanted: WantedAppointment;
  readonly by: ChangedBy | null;
}

interface GuestIds {
  readonly phone: string | null;
  readonly addressHash: string | null;
}

interface WantedAppointment {
  readonly serviceId: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly unitId: string | null;
}

export interface BookingRequest {
  readonly id: string | null;
  readonly appointmentId: string;
  readonly storeId: string;
  readonly customerId: string | null;
  readonly guestName: string | null;
  readonly guestPhone: string | null;
  readonly wanted: WantedAppointment | { readonly sessionId: string; readonly partySize: number; readonly wait: boolean };
  readonly subscriber: string | null;
  readonly by: ChangedBy | null;
}
