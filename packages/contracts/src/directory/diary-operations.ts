import { z } from 'zod';
import { defineOperation, merchant } from '../operation.ts';
import { InstantInput, queryInteger } from '../vocabulary.ts';
import { Booking, changesOf, OfStore, objectSchemas, Version } from './shapes.ts';

const demoSalon = '0190a000-0000-7000-8000-000000000002';
const demoBooking = '0190a000-0000-7000-8000-000000000801';
const service = 'directory';

const ofBooking = OfStore.extend({ booking_id: z.guid().toLowerCase().describe('The booking.') });
const BookingReply = z.object({ version: Version, booking: Booking });
const { id: _booking, store_id: _bookingOf, ...bookingFields } = objectSchemas.booking.shape;

export const listBookings = defineOperation({
  name: 'listBookings',
  service,
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/bookings',
  summary: 'List the bookings of a store.',
  description: 'In the order of their start. For the next page, send the id of the last booking as after.',
  caller: merchant,
  params: OfStore,
  query: z.object({
    from: InstantInput.optional().describe('Those that start at this instant or later. Absent: now.'),
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Bookings in a page.'),
    after: z.guid().toLowerCase().optional().describe('The id of the last booking of the page before.'),
  }),
  reply: z.object({ bookings: z.array(Booking.extend({ version: Version }).meta({ id: 'ListedBooking' })) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoSalon } },
});

export const createBooking = defineOperation({
  name: 'createBooking',
  service,
  method: 'POST',
  path: '/api/v1/directory/stores/{store_id}/bookings',
  summary: 'Write a booking into the diary of a store.',
  description:
    'The queue expects its chair to be taken then. The diary does not refuse two bookings of one chair: staff decide who takes which.',
  caller: merchant,
  params: OfStore,
  body: z.object(bookingFields),
  reply: BookingReply,
  problems: ['STORE_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: {
    params: { store_id: demoSalon },
    body: {
      unit_id: '0190a000-0000-7000-8000-000000000711',
      starts_at: '2026-05-01T12:00:00Z',
      ends_at: '2026-05-01T12:30:00Z',
    },
  },
});

export const changeBooking = defineOperation({
  name: 'changeBooking',
  service,
  method: 'PATCH',
  path: '/api/v1/directory/stores/{store_id}/bookings/{booking_id}',
  summary: 'Move, start, end or cancel a booking.',
  description: 'What the request names is set, everything else stays. A booking that is done or cancelled takes no chair.',
  caller: merchant,
  params: ofBooking,
  body: changesOf(bookingFields),
  reply: BookingReply,
  problems: ['STORE_NOT_FOUND', 'BOOKING_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'header',
  versioned: true,
  extension: true,
  example: { params: { store_id: demoSalon, booking_id: demoBooking }, body: { state: 'started' } },
});
