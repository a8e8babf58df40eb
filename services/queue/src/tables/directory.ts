import { NoColumns, type Queries } from '@corner/chassis';
import type { DataOf, directoryBooking, directoryCustomer, directoryFloor, directoryStore } from '@corner/contracts';
import { sql } from 'slonik';

/** Here and in the functions below, a version that is not newer changes nothing. */
export async function saveStore(queries: Queries, { status, ...store }: DataOf<typeof directoryStore>): Promise<void> {
  await queries.query(sql.prepared('upsert-store', NoColumns)`
    insert into store (id, version, name, time_zone, hours, live, walk_ins_accepted, called_hold_minutes, closures,
      paused_until, bookings_accepted, booking_notice_minutes, no_shows_allowed, no_show_months,
      booking_deposit_item_id)
    values (
      ${store.id}, ${store.version}, ${store.name}, ${store.time_zone}, ${sql.jsonb(store.hours)}, ${status === 'live'},
      ${store.walk_ins_accepted}, ${store.called_hold_minutes}, ${sql.jsonb(store.closures)}, ${store.paused_until}::timestamptz,
      ${store.bookings_accepted}, ${store.booking_notice_minutes}, ${store.no_shows_allowed}, ${store.no_show_months},
      ${store.booking_deposit_item_id}
    )
    on conflict (id) do update
    set version = excluded.version,
        name = excluded.name,
        time_zone = excluded.time_zone,
        hours = excluded.hours,
        live = excluded.live,
        walk_ins_accepted = excluded.walk_ins_accepted,
        called_hold_minutes = excluded.called_hold_minutes,
        closures = excluded.closures,
        paused_until = excluded.paused_until,
        bookings_accepted = excluded.bookings_accepted,
        booking_notice_minutes = excluded.booking_notice_minutes,
        no_shows_allowed = excluded.no_shows_allowed,
        no_show_months = excluded.no_show_months,
        booking_deposit_item_id = excluded.booking_deposit_item_id
    where store.version < excluded.version`);
}

export async function saveFloor(queries: Queries, floor: DataOf<typeof directoryFloor>): Promise<void> {
  await queries.query(sql.prepared('upsert-floor', NoColumns)`
    insert into floor (store_id, version, services, units)
    values (${floor.store_id}, ${floor.version}, ${sql.jsonb(floor.services)}, ${sql.jsonb(floor.units)})
    on conflict (store_id) do update
    set version = excluded.version,
        services = excluded.services,
        units = excluded.units
    where floor.version < excluded.version`);
}

export async function saveBooking(queries: Queries, booking: DataOf<typeof directoryBooking>): Promise<void> {
  await queries.query(sql.prepared('upsert-booking', NoColumns)`
    insert into booking (id, version, store_id, unit_id, starts_at, ends_at, state)
    values (
      ${booking.id}, ${booking.version}, ${booking.store_id}, ${booking.unit_id},
      ${booking.starts_at}::timestamptz, ${booking.ends_at}::timestamptz, ${booking.state}
    )
    on conflict (id) do update
    set version = excluded.version,
        store_id = excluded.store_id,
        unit_id = excluded.unit_id,
        starts_at = excluded.starts_at,
        ends_at = excluded.ends_at,
        state = excluded.state
    where booking.version < excluded.version`);
}

export async function saveCustomer(queries: Queries, { id, version, name }: DataOf<typeof directoryCustomer>): Promise<void> {
  await queries.query(sql.prepared('upsert-customer', NoColumns)`
    insert into customer (id, version, name) values (${id}, ${version}, ${name})
    on conflict (id) do update set version = excluded.version, name = excluded.name
    where customer.version < excluded.version`);
}
