import { NoColumns, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { Entry } from './entries.ts';

/**
 * Returns the phone number that was given for an entry that is active or ended after `endedAfter`, or for a booking that ended after it;
 * null for any other. A booking that no one marks has ended with its session.
 */
export const findGuestPhone = async (queries: Queries, id: string, endedAfter: Date): Promise<Pick<Entry, 'guest_phone'> | null> =>
  await queries.maybeOne(sql.prepared('find-guest-phone', Entry.pick({ guest_phone: true }))`
    select e.guest_phone from entry e
    where e.id = ${id} and (e.ended_at is null or e.ended_at > ${endedAfter.toISOString()}::timestamptz)
    union all
    select b.guest_phone from session_booking b join session s on s.id = b.session_id
    where b.id = ${id} and coalesce(b.ended_at, s.ends_at) > ${endedAfter.toISOString()}::timestamptz`);

/**
 * Erases the names and phone numbers of guests whose entries and bookings ended a day before `now` or earlier, and the hashes of their
 * addresses. A booking that no one marks has ended with its session.
 */
export async function eraseGuestDetails(queries: Queries, now: Date): Promise<void> {
  await queries.query(sql.prepared('erase-guest-details', NoColumns)`
    with booked as (
      update session_booking b set guest_name = null, guest_phone = null, address_hash = null
      where (guest_name is not null or guest_phone is not null)
        and (ended_at <= ${now.toISOString()}::timestamptz - interval '24 hours' or ended_at is null
          and (select s.ends_at from session s where s.id = b.session_id) <= ${now.toISOString()}::timestamptz - interval '24 hours')
    )
    update entry set guest_name = null, guest_phone = null
    where ended_at <= ${now.toISOString()}::timestamptz - interval '24 hours' and (guest_name is not null or guest_phone is not null)`);
}
