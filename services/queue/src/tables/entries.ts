import { columns, instantOf, type Queries } from '@corner/chassis';
import { queueStatuses } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

const text = z.string().nullable();

/** A row of `entry`. Instants are ISO 8601 strings with microseconds. */
export const Entry = z.object({
  /** The id that events carry. */
  id: z.string(),
  /** The id that operations carry, and a guest's only credential: it must not appear in a log, span or event. */
  entry_id: z.string(),
  store_id: z.string(),
  customer_id: text,
  guest_name: text,
  guest_phone: text,
  service_id: text,
  preferred_unit_id: text,
  party_size: z.number(),
  status: z.enum(queueStatuses),
  joined_at: z.string(),
  called_at: text,
  hold_until: text,
  quoted_wait_min: z.number(),
  appointment_id: text,
  ended_at: text,
  /** The number of events published about the entry; the last one's sequence. */
  event_sequence: z.number(),
});
export type Entry = z.output<typeof Entry>;

/** The columns of an {@link Entry}, from a table with the alias e. */
export const entryColumns = columns(Entry, {
  alias: 'e',
  overrides: { joined_at: instantOf, called_at: instantOf, hold_until: instantOf, ended_at: instantOf },
});

/** Whether an entry with the alias e is active; the partial indexes have the same condition. */
export const isActiveEntry = sql.fragment`e.status in ('waiting', 'called', 'assigned')`;

/** Whether an entry with the alias e is in a chair and its last seat ended twelve hours before `now`: the staff forgot to end it. */
export const isAbandoned = (now: Date) => sql.fragment`
  e.status = 'assigned' and not exists (
    select from seat s where s.entry_ref = e.id and s.freed_at is null and s.ends_at > ${now.toISOString()}::timestamptz - interval '12 hours')`;

/** Returns the entry with a credential, or null. */
export const findEntry = async (queries: Queries, entryId: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('find-entry', Entry)`select ${entryColumns} from entry e where e.entry_id = ${entryId}`);

/** Returns the entry of a store with the id that events carry, or null. */
export const findEntryById = async (queries: Queries, storeId: string, id: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('find-entry-by-id', Entry)`
    select ${entryColumns} from entry e where e.id = ${id} and e.store_id = ${storeId}`);

/** Returns the phone number that was given for an entry that is active or ended after `endedAfter`; null for any other entry. */
export const findGuestPhone = async (queries: Queries, id: string, endedAfter: Date): Promise<Pick<Entry, 'guest_phone'> | null> =>
  await queries.maybeOne(sql.prepared('find-guest-phone', Entry.pick({ guest_phone: true }))`
    select e.guest_phone from entry e
    where e.id = ${id} and (e.ended_at is null or e.ended_at > ${endedAfter.toISOString()}::timestamptz)`);

/** Returns the stores that may have entries whose time has ended. */
export const findStoresWithOverdueEntries = async (queries: Queries, now: Date): Promise<readonly string[]> =>
  await queries.anyFirst(sql.prepared('stores-with-overdue-entries', z.object({ store_id: z.string() }))`
    select distinct store_id from entry e
    where (status = 'called' and hold_until <= ${now.toISOString()})
      or (status = 'waiting' and joined_at <= ${now.toISOString()}::timestamptz - interval '30 minutes')
      or (${isAbandoned(now)})`);
