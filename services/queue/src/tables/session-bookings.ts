import { columns, instantOf, type Queries } from '@corner/chassis';
import { bookingStatuses } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { BookingStatus } from '../rules/bookings.ts';

const text = z.string().nullable();
const storedStatuses = ['waiting', 'unpaid', ...bookingStatuses] as const satisfies readonly BookingStatus[];

const Deposit = z.object({
  item_id: z.string(),
  state: z.enum(['due', 'unpaid', 'paid', 'refunding', 'refunded']),
  pay_before: z.string(),
  order_id: text,
});

/** Instants are ISO 8601 strings with microseconds. */
export const Booking = z.object({
  /** The id that events carry. */
  id: z.string(),
  /** The id that operations carry, and a guest's only credential: it must not appear in a log, span or event. */
  appointment_id: z.string(),
  session_id: z.string(),
  store_id: z.string(),
  customer_id: text,
  customer_name: text,
  guest_name: text,
  guest_phone: text,
  party_size: z.number(),
  status: z.enum(storedStatuses),
  made_at: z.string(),
  ended_at: text,
  ended_from: z.enum(storedStatuses).nullable(),
  by_id: text,
  by_name: text,
  event_sequence: z.number(),
  /** From 1; null for one that does not wait. */
  place_in_line: z.number().nullable(),
  offer_until: text,
  /** Null for a booking that needs none. */
  deposit: Deposit.nullable(),
  // Of its session.
  unit_id: z.string(),
  service_id: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  free_at: z.string(),
  places: z.number(),
  started: z.boolean(),
  session_state: z.enum(['open', 'done', 'cancelled']),
  /** Null when the store offers the service, or has the chair, no more. */
  service_name: text,
  unit_name: text,
  // Of its store.
  notice_minutes: z.number(),
  time_zone: z.string(),
});
export type Booking = z.output<typeof Booking>;

/** Null when the store has the service or chair no more. */
export const nameSql = (list: 'services' | 'units', storeId: FragmentSqlToken, id: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (select n ->> 'name' from floor f cross join lateral jsonb_array_elements(${sql.identifier(['f', list])}) n
    where f.store_id = ${storeId} and n ->> 'id' = ${id}::text)`;

export const bookingColumns = columns(Booking, {
  alias: 'b',
  overrides: {
    made_at: instantOf,
    ended_at: instantOf,
    offer_until: instantOf,
    place_in_line: sql.fragment`case when b.status = 'waiting' then (
      select count(*) from session_booking w where w.session_id = b.session_id and w.status = 'waiting' and w.line_number <= b.line_number) end`,
    deposit: sql.fragment`(
      select jsonb_build_object('item_id', d.item_id, 'state', d.state, 'pay_before', ${instantOf(sql.fragment`d.pay_before`)}, 'order_id', d.order_id)
      from deposit d where d.booking_id = b.id)`,
    customer_name: sql.fragment`(select c.name from customer c where c.id = b.customer_id)`,
    unit_id: sql.fragment`s.unit_id`,
    service_id: sql.fragment`s.service_id`,
    places: sql.fragment`s.places`,
    starts_at: instantOf(sql.fragment`s.starts_at`),
    ends_at: instantOf(sql.fragment`s.ends_at`),
    free_at: instantOf(sql.fragment`s.free_at`),
    started: sql.fragment`s.started`,
    session_state: sql.fragment`s.state`,
    service_name: nameSql('services', sql.fragment`b.store_id`, sql.fragment`s.service_id`),
    unit_name: nameSql('units', sql.fragment`b.store_id`, sql.fragment`s.unit_id`),
    notice_minutes: sql.fragment`coalesce((select t.booking_notice_minutes from store t where t.id = b.store_id), 0)`,
    time_zone: sql.fragment`coalesce((select t.time_zone from store t where t.id = b.store_id), 'Europe/London')`,
  },
});

export const findBooking = (queries: Queries, storeId: string, appointmentId: string): Promise<Booking | null> =>
  queries.maybeOne(sql.prepared('find-session-booking', Booking)`
    select ${bookingColumns} from session_booking b join session s on s.id = b.session_id
    where b.appointment_id = ${appointmentId} and b.store_id = ${storeId}`);

export const findBookingById = (queries: Queries, storeId: string, id: string): Promise<Booking | null> =>
  queries.maybeOne(sql.prepared('find-session-booking-by-id', Booking)`
    select ${bookingColumns} from session_booking b join session s on s.id = b.session_id where b.id = ${id} and b.store_id = ${storeId}`);

/** Only bookings that take a place, in the order in which they were made. */
export const findBookingsOfSession = (queries: Queries, storeId: string, sessionId: string): Promise<readonly Booking[]> =>
  queries.any(sql.prepared('bookings-of-session', Booking)`
    select ${bookingColumns} from session_booking b join session s on s.id = b.session_id
    where b.session_id = ${sessionId} and b.store_id = ${storeId} and b.status in ('unpaid', 'requested', 'booked', 'arrived')
    order by b.made_at, b.id`);

const WaitingBooking = Booking.extend({ places_left: z.number(), erased: z.boolean() });
export type WaitingBooking = z.output<typeof WaitingBooking>;

/** Those who wait for a place in a class, in the order of the line. */
export const findLine = (queries: Queries, storeId: string, sessionId: string): Promise<readonly WaitingBooking[]> =>
  queries.any(sql.prepared('line-of-session', WaitingBooking)`
    select ${bookingColumns}, s.places - s.taken as places_left,
      exists (select from erased_customer e where e.customer_id = b.customer_id) as erased
    from session_booking b join session s on s.id = b.session_id
    where b.session_id = ${sessionId} and b.store_id = ${storeId} and b.status = 'waiting'
    order by b.line_number`);

const Line = z.object({ store_id: z.string(), session_id: z.string() });

/** Classes with a line in which a place was not accepted in time, can be offered, or will not become free any more. */
export const findDueLines = (queries: Queries, now: Date): Promise<readonly z.output<typeof Line>[]> =>
  queries.any(sql.prepared('due-lines', Line)`
    select distinct b.store_id, b.session_id from session_booking b join session s on s.id = b.session_id
    where b.status = 'waiting' and (b.offer_until <= ${now.toISOString()}::timestamptz or s.starts_at <= ${now.toISOString()}::timestamptz
      or s.state <> 'open' or (b.offer_until is null and s.taken + b.party_size <= s.places))`);

/** Latest start first; `storeId` null is every store. */
export const listBookingsOf = (queries: Queries, { customerId, storeId, after, limit }: OwnQuery): Promise<readonly Booking[]> =>
  queries.any(sql.prepared('bookings-of-customer', Booking)`
    select ${bookingColumns} from session_booking b join session s on s.id = b.session_id
    where b.customer_id = ${customerId} and (${storeId}::uuid is null or b.store_id = ${storeId}::uuid) and s.starts_at > ${after.toISOString()}
    order by s.starts_at desc, b.id limit ${limit}`);

interface OwnQuery {
  readonly customerId: string;
  readonly storeId: string | null;
  readonly after: Date;
  readonly limit: number;
}

const BookerRow = z.object({
  ahead: z.number(),
  ahead_of_phone: z.number(),
  no_shows: z.number(),
  no_shows_allowed: z.number().nullable(),
  accepted: z.boolean(),
  deposit_item_id: text,
});

/**
 * Counts the bookings ahead of a customer at a store, else those from a guest's address and with their number, and the customer's no-shows
 * of the months for which the store's settings count them; and reads those settings.
 */
export const readBooker = (
  queries: Queries,
  { storeId, customerId, addressHash, phone, now }: BookerQuery,
): Promise<z.output<typeof BookerRow>> =>
  queries.one(sql.prepared('read-booker', BookerRow)`
    select case when ${customerId}::uuid is null then (
        select count(*) from session_booking b join session s on s.id = b.session_id
        where b.store_id = ${storeId} and b.address_hash = ${addressHash}::text and s.starts_at > ${now.toISOString()}
      ) else (
        select count(*) from session_booking b join session s on s.id = b.session_id
        where b.customer_id = ${customerId}::uuid and b.store_id = ${storeId} and b.status in ('waiting', 'unpaid', 'requested', 'booked') and s.starts_at > ${now.toISOString()}
      ) end as ahead,
      (select count(*) from session_booking b join session s on s.id = b.session_id
        where b.store_id = ${storeId} and b.guest_phone = ${phone}::text and b.ended_at is null and s.starts_at > ${now.toISOString()}) as ahead_of_phone,
      (select count(*) from session_booking b
        where b.customer_id = ${customerId}::uuid and b.store_id = ${storeId} and b.status = 'no_show' and b.ended_at > ${now.toISOString()}::timestamptz - make_interval(months => t.no_show_months)) as no_shows,
      t.no_shows_allowed, t.live and t.bookings_accepted as accepted,
      t.booking_deposit_item_id as deposit_item_id
    from store t where t.id = ${storeId}`);

interface BookerQuery {
  readonly storeId: string;
  readonly customerId: string | null;
  readonly addressHash: string | null;
  readonly phone: string | null;
  readonly now: Date;
}
