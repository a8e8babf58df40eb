import { type CustomerData, instantOf, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const Erased = z.object({ entries: z.number(), bookings: z.number(), names: z.number(), texts: z.number() });

/**
 * Drops a customer's name, the name and phone number of each of their places and bookings, and what staff wrote about one in the log.
 * Returns how many rows of each. A row of the log is found by its store and the time of the place, or of the booking.
 */
export const eraseCustomer = (tx: Transaction, customerId: string): Promise<z.output<typeof Erased>> =>
  tx.one(sql.prepared('erase-customer', Erased)`
    with named as (delete from customer where id = ${customerId} returning 1),
    places as (
      update entry set guest_name = null, guest_phone = null
      where customer_id = ${customerId} and (guest_name is not null or guest_phone is not null) returning 1),
    booked as (
      update session_booking set guest_name = null, guest_phone = null
      where customer_id = ${customerId} and (guest_name is not null or guest_phone is not null) returning 1),
    written as (
      update log_entry set detail = null
      where id = any(array(
        select l.id from session_booking b
        cross join lateral (
          select id, booking_ref, detail from log_entry
          where store_id = b.store_id and at >= b.made_at and at <= coalesce(b.ended_at, 'infinity') + interval '31 days'
        ) l
        where b.customer_id = ${customerId} and l.booking_ref = b.id and l.detail is not null
        union all
        select l.id from entry e
        cross join lateral (
          select id, entry_ref, detail from log_entry
          where store_id = e.store_id and at >= e.joined_at and at <= coalesce(e.ended_at, 'infinity') + interval '1 hour'
        ) l
        where e.customer_id = ${customerId} and l.entry_ref = e.id and l.detail is not null
      )) returning 1)
    select (select count(*) from places) as entries, (select count(*) from booked) as bookings, (select count(*) from named) as names, (select count(*) from written) as texts`);

export const exportedSections: CustomerData<unknown>['sections'] = [
  {
    name: 'name',
    rows: (id) => sql.fragment`select id::text as key, jsonb_build_object('name', name) as row from customer where id = ${id}`,
  },
  {
    name: 'places in queues',
    rows: (id) => sql.fragment`
      select ${instantOf(sql.fragment`joined_at`)} || id::text as key, jsonb_build_object(
        'store_id', store_id, 'status', status, 'party_size', party_size, 'joined_at', joined_at, 'called_at', called_at, 'ended_at', ended_at,
        'quoted_wait_min', quoted_wait_min, 'service_id', service_id, 'preferred_unit_id', preferred_unit_id, 'name', guest_name,
        'phone', guest_phone) as row
      from entry where customer_id = ${id}`,
  },
  {
    name: 'bookings',
    rows: (id) => sql.fragment`
      select ${instantOf(sql.fragment`b.made_at`)} || b.id::text as key, jsonb_build_object(
        'store_id', b.store_id, 'status', b.status, 'party_size', b.party_size, 'made_at', b.made_at, 'starts_at', s.starts_at, 'ends_at', s.ends_at,
        'service_id', s.service_id, 'unit_id', s.unit_id, 'name', b.guest_name, 'phone', b.guest_phone) as row
      from session_booking b join session s on s.id = b.session_id where b.customer_id = ${id}`,
  },
];
