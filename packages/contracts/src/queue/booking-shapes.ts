import { z } from 'zod';
import { ChangedBy, extension, Instant } from '../vocabulary.ts';

/** `requested` waits for the store to confirm it, and holds its time. */
export const bookingStatuses = ['requested', 'booked', 'arrived', 'done', 'cancelled', 'no_show'] as const;

export const depositStates = ['due', 'unpaid', 'paid', 'refunding', 'refunded', 'kept'] as const;

/** `own`: made here; `walk_in`: a seat of the queue; `upstream`: a diary that the directory publishes. */
export const sessionSources = ['own', 'walk_in', 'upstream'] as const;

const session = {
  session_id: z.string().describe('The time of the chair. Several bookings of a class have the same.'),
  source: z
    .enum(sessionSources)
    .describe('`own`: made by these operations. `walk_in`: a seat of the queue. `upstream`: from a diary that the directory publishes.'),
  store_id: z.string(),
  service_id: z.string().nullable().describe('Null where it is not known, as in a diary of the directory.'),
  service_name: z.string().nullable().describe('What the store calls it now. Null when it offers it no more.'),
  unit_id: z.string().describe('The chair.'),
  unit_name: z.string().nullable().describe('What the store calls it now. Null when it has it no more.'),
  starts_at: Instant,
  ends_at: Instant,
  places: z.int().describe('How many people may come: 1 for an appointment, more for a class.'),
} as const;

export const SessionBooking = z
  .object({
    appointment_id: z
      .string()
      .describe('Names the booking. A guest’s only credential for it. An entry of the queue names the booking that it became.'),
    ...session,
    status: z.enum(bookingStatuses),
    customer_id: z.string().nullable().describe('Null for a guest.'),
    guest_name: z.string().nullable(),
    party_size: z.int().describe('How many people come.'),
    made_at: Instant,
    changes_until: Instant.nullable().describe(
      'Until when its owner can move or cancel it. Null when they cannot, whatever the time: it has ended, the party is there, or it is no booking of their own.',
    ),
    waitlist: extension(
      z
        .object({
          place: z.int().describe('Its place in line, from 1.'),
          offer_until: Instant.nullable().describe('Until when a place is kept for it: acceptBooking takes it. Null while none is free.'),
        })
        .nullish()
        .describe(
          'Of a booking that waits for a place in a full class, with the status `requested`: it has no place yet. Null for any other.',
        ),
    ),
    deposit: extension(
      z
        .object({
          booking_ref: z.string().describe('Names the booking in createOrder, which pays the deposit: one of the item, and nothing else.'),
          item_id: z.string().describe('The item of the store’s menu.'),
          state: z
            .enum(depositStates)
            .describe(
              '`due`: not paid, the booking keeps its time until `pay_before`, with the status `requested`. `unpaid`: the booking ended so. `paid`. `refunding`: the booking was cancelled. `refunded`. `kept`: by the store, as its party did not come, or a refund failed.',
            ),
          pay_before: Instant.describe('Until when it had to be paid. One that is paid later is refunded.'),
          order_id: z.string().nullable().describe('The order that paid it. Null while none has.'),
        })
        .nullish()
        .describe('Of a customer’s booking, where the store takes a deposit. Null for any other.'),
    ),
  })
  .meta({ id: 'SessionBooking' });

export const StoreBooking = SessionBooking.extend({
  customer_name: z.string().nullable().describe('The name of a signed-in customer. Null for a guest, and where the directory has none.'),
  guest_phone: z.string().nullable(),
  by: ChangedBy.nullable().describe('Who at the store made the last change. Null when its owner made it.'),
}).meta({ id: 'StoreBooking' });

export const StoreSession = z
  .object({
    ...session,
    state: z.enum(['open', 'done', 'cancelled']).describe('Only an open one takes the chair.'),
    taken: z.int().describe('How many of its places are booked.'),
    bookings: z.array(StoreBooking).describe('In the order in which they were made, those that have ended too.'),
  })
  .meta({ id: 'StoreSession' });

export const OpenSession = z
  .object({ ...session, places_left: z.int().describe('How many people can still join.') })
  .meta({ id: 'OpenSession' });

export const KeptClass = z
  .object({ session_id: z.string(), starts_at: Instant, taken: z.int().describe('How many of its places are booked.') })
  .meta({ id: 'KeptClass' });

/** `closed` and `not_free`: there is no class on that day. */
export const weeklyClassDayStates = ['open', 'done', 'cancelled', 'closed', 'not_free'] as const;

export const WeeklyClass = z
  .object({
    weekly_class_id: z.string(),
    store_id: z.string(),
    service_id: z.string(),
    service_name: session.service_name,
    unit_id: z.string().nullable().describe('The chair. Null for any that offers the service.'),
    unit_name: z.string().nullable().describe('What the store calls it now. Null for any, and when it has it no more.'),
    days: z.array(z.int()).describe('Days of the week; 1 is Monday.'),
    from: z.string().describe('When it begins: a time of day in the store’s time zone.'),
    minutes: z.int().describe('How long it takes.'),
    places: z.int().describe('How many people may come.'),
    from_date: z.string().describe('The first day on which it may be.'),
    until_date: z.string().nullable().describe('The last day on which it may be. Null: without an end.'),
    ended: z.boolean().describe('Whether it was ended: it makes no more classes.'),
    ahead: z
      .array(
        z.object({
          day: z.string().describe('The day of the store that it was made for.'),
          starts_at: Instant.describe('When the class begins, or would.'),
          session_id: z.string().nullable().describe('The class. Null when there is none.'),
          taken: z.int().describe('How many of its places are booked.'),
          state: z
            .enum(weeklyClassDayStates)
            .describe(
              'Of the class. `closed`: there is none, as the store is closed by an exception to its hours. `not_free`: there is none, as no chair that offers the service is staffed and free.',
            ),
        }),
      )
      .describe('The next 14 days, today included, in order.'),
  })
  .meta({ id: 'WeeklyClass' });
