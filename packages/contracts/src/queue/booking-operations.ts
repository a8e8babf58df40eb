import { z } from 'zod';
import { customer, defineOperation, everyone, orPartner, staff } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { dialledAtStore, TypedPhoneNumber } from '../typed/phone-numbers.ts';
import { Day, extension, Instant, InstantInput, queryInteger, StoreId } from '../vocabulary.ts';
import { OpenSession, SessionBooking, StoreBooking, StoreSession } from './booking-shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000002';
const demoService = '0190a000-0000-7000-8000-000000000701';
const demoChair = '0190a000-0000-7000-8000-000000000711';
const someBooking = '5f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d';
const someSession = '0190a000-0000-7000-8000-000000000901';
const service = 'queue';

const ofStore = z.object({ store_id: StoreId });
const bookingAt = z.object({ appointment_id: z.guid().toLowerCase().describe('The booking, as makeBooking returned it.') });
const sessionAt = z.object({ session_id: z.guid().toLowerCase().describe('The class.') });
const bookingReply = z.object({ booking: SessionBooking });
const staffReply = z.object({ booking: StoreBooking });
const sessionReply = z.object({ session: StoreSession });
const serviceId = z.guid().toLowerCase().describe('The service.');
const unitId = z.guid().toLowerCase().nullish().describe('The chair. Any that offers the service when absent.');
const reason = z.string().trim().min(1).max(280).nullish().describe('Why, for the log. Customers do not see it.');
const someStep = { params: { appointment_id: someBooking }, body: { store_id: demoStore } };
const repeats = 'A repeat changes nothing.';
const stepProblems = ['BOOKING_NOT_FOUND', 'INVALID_TRANSITION'] as const;

export const readTimes = defineOperation({
  name: 'readTimes',
  service,
  method: 'GET',
  path: '/api/v1/queue/stores/{store_id}/times',
  summary: 'Read the free times of a store.',
  description:
    'The times at which a service can begin, every quarter of an hour, by the rule that quotes waits: a chair that offers it is staffed and free for as long as it takes and the chair needs after it. Those who wait in the queue are taken to be served first. Also the classes of those days. Empty when the store takes no bookings.',
  caller: everyone,
  params: ofStore,
  query: z.object({
    service_id: serviceId,
    unit_id: z.guid().toLowerCase().optional().describe('One chair. Any when absent.'),
    from: Day.optional().describe('The first day, in the store’s time zone. Today when absent.'),
    days: queryInteger(z.int().min(1).max(14).default(7)).describe('How many days.'),
  }),
  reply: z.object({
    accepted: z.boolean().describe('Whether customers can book.'),
    notice_minutes: z.int().describe('Until how long before its start a booking can be moved or cancelled by the person who made it.'),
    time_zone: z.string().describe('The store’s time zone.'),
    deposit_item_id: extension(
      z
        .string()
        .nullish()
        .describe('The item of the menu that a customer pays as a deposit for a booking. Null where the store takes none.'),
    ),
    times: z
      .array(
        z.object({ starts_at: Instant, unit_ids: z.array(z.string()).describe('The chairs that are free then, in the store’s order.') }),
      )
      .describe('In order of time.'),
    classes: z.array(OpenSession).describe('In order of time.'),
  }),
  problems: ['STORE_NOT_FOUND', 'SERVICE_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'address', limit: 240, windowSeconds: 60 }],
  extension: true,
  example: { params: { store_id: demoStore }, query: { service_id: demoService } },
});

export const makeBooking = defineOperation({
  name: 'makeBooking',
  service,
  method: 'POST',
  path: '/api/v1/queue/bookings',
  summary: 'Book a time, or a place in a class.',
  description:
    'Send starts_at for an appointment, which must be a time that readTimes offers, or session_id for a class. Two bookings never have one chair at one time. For a guest a phone number is required, appointment_id is the only credential, and two bookings ahead from one address, or one with one number, are the most; a customer may have eight. After the no-shows that the store’s settings allow, a booking waits for the store to confirm it (status=requested). Where the store takes a deposit, only a signed-in customer books: the booking keeps its time for 15 minutes, and createOrder with its deposit.booking_ref pays it. Staff book at any time at which a chair is free, also while the store takes no bookings from customers, for someone whom they name.',
  caller: everyone,
  body: z.object({
    store_id: StoreId,
    service_id: z.guid().toLowerCase().nullish().describe('The service of an appointment. Required with starts_at.'),
    starts_at: InstantInput.nullish().describe('When the appointment begins.'),
    unit_id: unitId,
    session_id: z.guid().toLowerCase().nullish().describe('The class, in the place of starts_at.'),
    wait: extension(
      z
        .boolean()
        .nullish()
        .describe(
          'Of a class without room: true joins its waiting list. A freed place is kept for ten minutes for the first in line whose party fits, and acceptBooking takes it; cancelBooking leaves the list, which ends when the class begins. A customer who waits for the class already gets that booking back.',
        ),
    ),
    party_size: z.int().min(1).max(8).default(1).describe('How many people come to a class. An appointment is for one.'),
    guest_name: typedName(80).nullish().describe('Ignored for a signed-in customer.'),
    guest_phone: TypedPhoneNumber.nullish().describe(
      `Where the store can reach a guest, and where reminders are sent. ${dialledAtStore} Ignored for a signed-in customer.`,
    ),
  }),
  reply: bookingReply,
  problems: [
    'STORE_NOT_FOUND',
    'BOOKINGS_NOT_ACCEPTED',
    'SERVICE_NOT_FOUND',
    'UNIT_NOT_FOUND',
    'SESSION_NOT_FOUND',
    'TIME_NOT_FREE',
    'TOO_MANY_BOOKINGS',
  ],
  replay: 'header',
  limits: [{ by: 'address', limit: 30, windowSeconds: 60 }],
  extension: true,
  example: {
    body: {
      store_id: demoStore,
      service_id: demoService,
      starts_at: '2026-05-02T10:00:00Z',
      guest_name: 'Dee',
      guest_phone: '+447700900123',
    },
  },
});

export const readBooking = defineOperation({
  name: 'readBooking',
  service,
  method: 'GET',
  path: '/api/v1/queue/bookings/{appointment_id}',
  summary: 'Read a booking.',
  description:
    'Also what an entry of the queue became: its appointment_id names a booking, the seat that a walk-in was given, or a booking of the directory’s diary. A customer reads their own, a guest one whose id they hold, staff those of their store.',
  caller: everyone,
  params: bookingAt,
  query: ofStore,
  reply: bookingReply,
  problems: ['BOOKING_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { params: { appointment_id: someBooking }, query: { store_id: demoStore } },
});

export const moveBooking = defineOperation({
  name: 'moveBooking',
  service,
  method: 'POST',
  path: '/api/v1/queue/bookings/{appointment_id}/move',
  summary: 'Move a booking to another time.',
  description:
    'Its owner moves it until the store’s notice before its start, to a time that readTimes offers, a place in a class to another class; staff move it at any time. The chair stays where it is free then, and else becomes another that offers the service, unless unit_id names one.',
  caller: everyone,
  params: bookingAt,
  body: ofStore.extend({
    starts_at: InstantInput.nullish().describe('When the appointment is to begin.'),
    unit_id: unitId,
    session_id: z.guid().toLowerCase().nullish().describe('Of a place in a class: the other class.'),
  }),
  reply: bookingReply,
  problems: [...stepProblems, 'NOTICE_PASSED', 'TIME_NOT_FREE', 'UNIT_NOT_FOUND', 'SESSION_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { appointment_id: someBooking }, body: { store_id: demoStore, starts_at: '2026-05-02T11:00:00Z' } },
});

export const cancelBooking = defineOperation({
  name: 'cancelBooking',
  service,
  method: 'POST',
  path: '/api/v1/queue/bookings/{appointment_id}/cancel',
  summary: 'Cancel a booking.',
  description: `Its owner cancels it until the store’s notice before its start; staff at any time before the party is there. A deposit that was paid is refunded. ${repeats}`,
  caller: everyone,
  params: bookingAt,
  body: ofStore.extend({ reason }),
  reply: bookingReply,
  problems: [...stepProblems, 'NOTICE_PASSED'],
  replay: 'header',
  extension: true,
  example: someStep,
});

export const acceptBooking = defineOperation({
  name: 'acceptBooking',
  service,
  method: 'POST',
  path: '/api/v1/queue/bookings/{appointment_id}/accept',
  summary: 'Take a place in a class that the waiting list offers.',
  description: `While it is kept: until offer_until of the booking’s waitlist. After the no-shows that the store’s settings allow, the booking then waits for the store to confirm it. ${repeats}`,
  caller: everyone,
  params: bookingAt,
  body: ofStore,
  reply: bookingReply,
  problems: stepProblems,
  replay: 'header',
  extension: true,
  example: someStep,
});

export const listMyBookings = defineOperation({
  name: 'listMyBookings',
  service,
  method: 'GET',
  path: '/api/v1/queue/bookings',
  summary: 'List the bookings of the signed-in customer.',
  description: 'Those that begin from 30 days ago on, the latest start first, at most 100.',
  caller: customer,
  query: z.object({ store_id: StoreId.optional().describe('One store. Every one when absent.') }),
  reply: z.object({ bookings: z.array(SessionBooking) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: {},
});

export const listStoreBookings = defineOperation({
  name: 'listStoreBookings',
  service,
  method: 'GET',
  path: '/api/v1/queue/stores/{store_id}/bookings',
  summary: 'List a day of a store’s diary.',
  description:
    'The times of its chairs on one day, in order, each with its bookings: appointments and classes, the seats that walk-ins were given, and the bookings of the directory’s diary. Times may overlap where that diary is one of the two.',
  caller: orPartner(staff, 'queue:read'),
  params: ofStore,
  query: z.object({ day: Day.optional().describe('In the store’s time zone. Today when absent.') }),
  reply: z.object({ day: z.string(), time_zone: z.string(), sessions: z.array(StoreSession) }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore }, query: { day: '2026-03-02' } },
});

const step = <Name extends string>(name: Name, path: string, summary: string, description: string) =>
  defineOperation({
    name,
    service,
    method: 'POST',
    path: `/api/v1/queue/bookings/{appointment_id}/${path}`,
    summary,
    description: `${description} ${repeats}`,
    caller: staff,
    params: bookingAt,
    body: ofStore.extend({ reason }),
    reply: staffReply,
    problems: stepProblems,
    replay: 'header',
    extension: true,
    example: someStep,
  });

export const confirmBooking = step('confirmBooking', 'confirm', 'Confirm a booking that waits for the store.', 'It becomes booked.');
export const arriveBooking = step(
  'arriveBooking',
  'arrive',
  'Mark the party of a booking as there.',
  'An appointment whose party is early begins now, when its chair is free until its time.',
);
export const completeBooking = step(
  'completeBooking',
  'complete',
  'Complete a booking.',
  'The party was served; the chair is free from now.',
);
export const noShowBooking = step(
  'noShowBooking',
  'no-show',
  'Mark the party of a booking as a no-show.',
  'From its start on. The chair is free from now. It counts toward the no-shows after which bookings wait for the store.',
);
export const reopenBooking = defineOperation({
  ...step(
    'reopenBooking',
    'reopen',
    'Undo a completion or a no-show.',
    'For 30 days after it. The booking returns to the status that it had, and a no-show counts no more. Its chair is taken again while its time lasts: TIME_NOT_FREE when someone else has it. No message is sent.',
  ),
  problems: [...stepProblems, 'TIME_NOT_FREE'],
});

const sessionFields = {
  starts_at: InstantInput.describe('When it begins.'),
  minutes: z.int().min(5).max(720).nullish().describe('How long it takes. As long as the service when absent.'),
  places: z.int().min(2).max(200).describe('How many people may come.'),
};

export const makeSession = defineOperation({
  name: 'makeSession',
  service,
  method: 'POST',
  path: '/api/v1/queue/sessions',
  summary: 'Make a class.',
  description: 'A time of a chair, or of a room that is one, which several people book.',
  caller: staff,
  body: ofStore.extend({ service_id: serviceId, unit_id: z.guid().toLowerCase().describe('The chair.'), ...sessionFields }),
  reply: sessionReply,
  problems: ['STORE_NOT_FOUND', 'SERVICE_NOT_FOUND', 'UNIT_NOT_FOUND', 'TIME_NOT_FREE'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, service_id: demoService, unit_id: demoChair, starts_at: '2026-05-02T08:00:00Z', places: 12 } },
});

export const changeSession = defineOperation({
  name: 'changeSession',
  service,
  method: 'POST',
  path: '/api/v1/queue/sessions/{session_id}/change',
  summary: 'Change a class.',
  description:
    'What the request names is set, everything else stays. Those who booked keep their places, and a new time is sent to them. Not fewer places than are booked.',
  caller: staff,
  params: sessionAt,
  body: ofStore.extend({
    unit_id: z.guid().toLowerCase().nullish().describe('The chair.'),
    starts_at: InstantInput.nullish().describe('When it is to begin.'),
    minutes: sessionFields.minutes,
    places: z.int().min(2).max(200).nullish().describe('How many people may come.'),
  }),
  reply: sessionReply,
  problems: ['SESSION_NOT_FOUND', 'INVALID_TRANSITION', 'UNIT_NOT_FOUND', 'TIME_NOT_FREE', 'TOO_MANY_BOOKINGS'],
  replay: 'header',
  extension: true,
  example: { params: { session_id: someSession }, body: { store_id: demoStore, places: 14 } },
});

export const cancelSession = defineOperation({
  name: 'cancelSession',
  service,
  method: 'POST',
  path: '/api/v1/queue/sessions/{session_id}/cancel',
  summary: 'Cancel a class.',
  description: `Its bookings are cancelled with it. ${repeats}`,
  caller: staff,
  params: sessionAt,
  body: ofStore.extend({ reason }),
  reply: sessionReply,
  problems: ['SESSION_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { session_id: someSession }, body: { store_id: demoStore } },
});
