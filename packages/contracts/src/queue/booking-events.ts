import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, Instant, OrderId, StoreId } from '../vocabulary.ts';
import { bookingStatuses } from './booking-shapes.ts';

const session = {
  session_id: z.guid().describe('The time of the chair.'),
  store_id: StoreId.describe('The store.'),
  service_name: z.string().nullable().describe('What the store calls the service. Null when it offers it no more.'),
  starts_at: Instant.describe('The start, after the change.'),
  ends_at: Instant.describe('The end, after the change.'),
  previous_starts_at: Instant.nullable().describe('The start before the change. Null when it did not move.'),
  time_zone: z.string().describe('The time zone of the store, in which the booking has its day.'),
  places: z.int().describe('How many people may come: 1 for an appointment, more for a class.'),
  by_id: z
    .string()
    .nullable()
    .describe('The id of the person at the store who made the change. Null when the customer or the time made it.'),
  at: Instant.describe('When it changed.'),
} as const;

export const BookingData = z.object({
  booking_ref: z.guid().describe('Names the booking. The appointment id is the credential of a guest, so events do not carry it.'),
  ...session,
  customer_id: CustomerId.nullable().describe('Who booked. Null for a guest.'),
  party_size: z.int().describe('How many people come.'),
  status: z.enum(bookingStatuses).describe('The status after the change.'),
  no_shows: z
    .object({
      count: z.int().describe('How many there are that count.'),
      allowed: z.int().describe('After so many bookings wait for the store to confirm them.'),
    })
    .nullable()
    .describe('Of a no-show of a customer, at a store that limits them. Null for everything else.'),
  cause: z
    .enum(['owner', 'store', 'class'])
    .describe('Who made the change: the person who booked; the store, of this booking; or the store, of the whole class.'),
});

export const WaitlistData = z.object({
  booking_ref: BookingData.shape.booking_ref,
  ...session,
  customer_id: BookingData.shape.customer_id,
  party_size: BookingData.shape.party_size,
  place: z.int().describe('Its place in line, from 1.'),
  offer_until: Instant.nullable().describe('Until when a place is, or was, kept for it. Null when none was free.'),
  cause: z
    .enum(['owner', 'store', 'class', 'time'])
    .describe('Who made the change: the person who waits; the store; the store, of the whole class; or the time.'),
});

export const SessionData = z.object({
  ...session,
  taken: z.int().describe('How many places were booked at the change.'),
});

export const depositReturned = defineEvent({
  type: 'deposit.returned',
  producers: ['queue'],
  version: 1,
  summary: 'The deposit of a booking is to be refunded. Published at most once for an order.',
  data: z.object({
    order_id: OrderId.describe('The order that paid it.'),
    booking_ref: BookingData.shape.booking_ref,
    store_id: StoreId.describe('The store.'),
    cause: z
      .enum(['cancelled', 'not_due'])
      .describe('`cancelled`: the booking was cancelled. `not_due`: when it was paid, its booking did not wait for that deposit.'),
    at: Instant.describe('When that was so.'),
  }),
});

const booking = (change: string, summary: string): EventContract<typeof BookingData> =>
  defineEvent({ type: `booking.${change}`, producers: ['queue'], version: 1, summary, data: BookingData });

export const bookingMade = booking('made', 'A time was booked. With the status `requested` it waits for the store to confirm it.');
export const bookingConfirmed = booking('confirmed', 'The store confirmed a booking that waited for it.');
export const bookingMoved = booking('moved', 'A booking has another time or another chair.');
export const bookingCancelled = booking('cancelled', 'A booking was cancelled.');
export const bookingArrived = booking('arrived', 'The party of a booking is there.');
export const bookingDone = booking('done', 'The party of a booking was served.');
export const bookingNoShow = booking('no_show', 'The party of a booking did not come.');
export const bookingReopened = booking('reopened', 'Staff undid that a booking was done, or that its party did not come.');

const waitlist = (change: string, summary: string): EventContract<typeof WaitlistData> =>
  defineEvent({ type: `waitlist.${change}`, producers: ['queue'], version: 1, summary, data: WaitlistData });

export const waitlistJoined = waitlist('joined', 'A party waits for a place in a full class, or the class for which it waits was moved.');
export const waitlistOffered = waitlist('offered', 'A place in a class is kept for a party that waits, until `offer_until`.');
export const waitlistLeft = waitlist(
  'left',
  'A party waits no more, and has no place: it left, the store or the end of its class took it off, or it did not accept a place in time.',
);

export const sessionChanged = defineEvent({
  type: 'session.changed',
  producers: ['queue'],
  version: 1,
  summary: 'A class was made, or has another time, another chair or another number of places.',
  data: SessionData,
});

export const sessionCancelled = defineEvent({
  type: 'session.cancelled',
  producers: ['queue'],
  version: 1,
  summary: 'A class was cancelled, with its bookings.',
  data: SessionData,
});
