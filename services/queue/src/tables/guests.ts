import { NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { Entry } from './entries.ts';

/** Returns the phone number that was given for an entry or a booking that is active or ended after `endedAfter`; null for any other. */
export const findGuestPhone = async (queries: Queries, id: string, endedAfter: Date): Promise<Pick<Entry, 'guest_phone'> | null> =>
  await queries.maybeOne(sql.prepared('find-guest-phone', Entry.pick({ guest_phone: true }))`
    select e.guest_phone from entry e
    where e.id = ${id} and (e.ended_at is null or e.ended_at > ${endedAfter.toISOString()}::timestamptz)
    union all
    select b.guest_phone from session_booking b
    where b.id = ${id} and (b.ended_at is null or b.ended_at > ${endedAfter.toISOString()}::timestamptz)`);

/** Erases the names and phone numbers of guests whose entries and bookings ended a day before `now` or earlier. */
export async function eraseGuestDetails(queries: Queries, now: Date): Promise<void> {
  await queries.query(sql.prepared('erase-guest-details', NoColumns)`
    with booked as (
      update session_booking set guest_name = null, guest_phone = null
      where ended_at <= ${now.toISOString()}::timestamptz - interval '24 hours' and (guest_name is not null or guest_phone is not null)
    )
    update entry set guest_name = null, guest_phone = null
    where ended_at <= ${now.toISOString()}::timestamptz - interval '24 hours' and (guest_name is not null or guest_phone is not null)`);
}
