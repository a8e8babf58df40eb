import { columns, insertEventsSql, instantOf, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { type ChangedBy, queueStatuses } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { LogKind } from '../rules/log.ts';
import type { Seat } from '../rules/wait/seat-parties.ts';
import type { KeptQuotes } from '../rules/waits.ts';
import { chainedSql } from './log.ts';
import { Spread, spreadOfStoreSql } from './waits.ts';

const text = z.string().nullable();

/** Instants are ISO 8601 strings with microseconds. */
export const Entry = z.object({
  /** The id that events carry. */
  id: z.string(),
  /** The id that operations carry, and a guest's only credential: it must not appear in a log, span or event. */
  entry_id: z.string(),
  store_id: z.string(),
  customer_id: text,
  /** Null for a guest, and when the directory has no name for the customer. */
  customer_name: text,
  guest_name: text,
  guest_phone: text,
  /** A keyed hash of the address of a guest who waits and whom no one at the store has confirmed; null for every other entry. */
  address_hash: text,
  service_id: text,
  preferred_unit_id: text,
  party_size: z.number(),
  status: z.enum(queueStatuses),
  joined_at: z.string(),
  called_at: text,
  hold_until: text,
  quoted_wait_min: z.number(),
  quoted_spread: Spread,
  appointment_id: text,
  ended_at: text,
  /** The status before the entry ended; null for one that has not ended. */
  ended_from: z.enum(queueStatuses).nullable(),
  reopened_at: text,
  /** Who at the store made the last change; null when the owner or the time made it. */
  by_id: text,
  by_name: text,
  /** The number of published events, which is the last one's sequence. */
  event_sequence: z.number(),
});
export type Entry = z.output<typeof Entry>;

export const entryColumns = columns(Entry, {
  alias: 'e',
  overrides: {
    joined_at: instantOf,
    called_at: instantOf,
    hold_until: instantOf,
    ended_at: instantOf,
    reopened_at: instantOf,
    customer_name: sql.fragment`(select c.name from customer c where c.id = e.customer_id)`,
  },
});

/** Whether an entry with the alias e is active; the partial indexes have the same condition. */
export const isActiveEntrySql = sql.fragment`e.status in ('waiting', 'called', 'assigned')`;

/** Whether an entry with the alias e is in a chair and its last seat ended twelve hours before `now`: the staff forgot to end it. */
export const isAbandonedSql = (now: Date) => sql.fragment`
  e.status = 'assigned' and not exists (
    select from seat s where s.entry_ref = e.id and s.freed_at is null and s.ends_at > ${now.toISOString()}::timestamptz - interval '12 hours')`;

export const findEntry = async (queries: Queries, entryId: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('find-entry', Entry)`select ${entryColumns} from entry e where e.entry_id = ${entryId}`);

export const findEntryById = async (queries: Queries, storeId: string, id: string): Promise<Entry | null> =>
  await queries.maybeOne(sql.prepared('find-entry-by-id', Entry)`
    select ${entryColumns} from entry e where e.id = ${id} and e.store_id = ${storeId}`);

export const findStoresWithOverdueEntries = async (queries: Queries, now: Date): Promise<readonly string[]> =>
  await queries.anyFirst(sql.prepared('stores-with-overdue-entries', z.object({ store_id: z.string() }))`
    select distinct store_id from entry e
    where (status = 'called' and hold_until <= ${now.toISOString()})
      or (status = 'waiting' and joined_at <= ${now.toISOString()}::timestamptz - interval '30 minutes')
      or (${isAbandonedSql(now)})`);

/**
 * Inserts a waiting entry with the spread of its quote, publishes its event and logs it, in one statement. `joined_at` is later than that
 * of every active entry, even when replicas' clocks differ.
 */
export const insertEntry = async (tx: Transaction, entry: NewEntry, event: OutboxEntry, { at, by, quotes }: Quoted): Promise<Entry> =>
  await tx.one(sql.prepared('insert-entry', Entry)`
    with published as (${insertEventsSql(tx, [event])}), changed as (
    insert into entry as e (
      id, entry_id, store_id, customer_id, guest_name, guest_phone, address_hash, service_id, preferred_unit_id, party_size, status, joined_at,
      quoted_wait_min, quoted_spread, event_sequence, by_id, by_name
    )
    values (
      ${entry.id}, ${entry.entry_id}, ${entry.store_id}, ${entry.customer_id}, ${entry.guest_name}, ${entry.guest_phone},
      ${entry.address_hash}, ${entry.service_id}, ${entry.preferred_unit_id}, ${entry.party_size}, 'waiting',
      greatest(${at.toISOString()}::timestamptz, (
        select max(joined_at) + interval '1 microsecond' from entry
        where store_id = ${entry.store_id} and status in ('waiting', 'called', 'assigned'))),
      ${entry.quoted_wait_min}, (${spreadOfStoreSql(entry.store_id, quotes)}), 1, ${by?.id ?? null}, ${by?.name ?? null}
    )
    returning e.*
    ), logged as (${chainedSql({ storeId: entry.store_id, entryRef: entry.id, at, kind: 'joined', by })})
    select ${entryColumns} from changed e`);

/**
 * Changes an entry, frees the seats of one that leaves a chair, publishes and logs it, in one statement. A null `appointment_id` is kept. A
 * chair is offered by the last call, or by the seat of an entry that was not called.
 */
export const updateEntry = async (tx: Transaction, entry: EntryKey, change: EntryChange, event: OutboxEntry): Promise<Entry> =>
  await tx.one(sql.prepared('update-entry', Entry)`
    with published as (${insertEventsSql(tx, [event])}), freed as (
      update seat set freed_at = ${change.at.toISOString()} where entry_ref = ${entry.id} and coalesce(freed_at, 'infinity') = 'infinity' and ${change.freesSeats}::boolean
    ), changed as (
    update entry e set
      status = ${change.status},
      called_at = case ${change.calledAt} when 'set' then ${change.at.toISOString()}::timestamptz when 'clear' then null else e.called_at end,
      late_min = case when ${change.status} in ('called', 'assigned')
        then ceil(extract(epoch from coalesce(e.called_at, ${change.at.toISOString()}::timestamptz) - e.joined_at) / 60)::int - e.quoted_wait_min
        when ${change.status} <> 'waiting' then e.late_min end,
      hold_until = ${change.holdUntil}::timestamptz,
      appointment_id = coalesce(${change.appointmentId}::uuid, e.appointment_id),
      ended_at = case when ${change.ends}::boolean then ${change.at.toISOString()}::timestamptz end,
      ended_from = case when ${change.ends}::boolean then e.status end,
      address_hash = null, by_id = ${change.by?.id ?? null}, by_name = ${change.by?.name ?? null},
      event_sequence = e.event_sequence + 1
    where e.id = ${entry.id} returning e.*
    ), logged as (${chainedSql({ storeId: entry.store_id, entryRef: entry.id, ...change })})
    select ${entryColumns} from changed e`);

/**
 * Gives a guest's entry to a customer, publishes and logs it, in one statement. The phone number stays: the party expects to be called on
 * it.
 */
export const updateOwner = async (tx: Transaction, entry: EntryKey, customerId: string, { event, at }: Claimed): Promise<Entry> =>
  await tx.one(sql.prepared('update-owner', Entry)`
    with published as (${insertEventsSql(tx, [event])}), changed as (
      update entry e set customer_id = ${customerId}, guest_name = null, address_hash = null, by_id = null, by_name = null, event_sequence = e.event_sequence + 1
      where e.id = ${entry.id} returning e.*
    ), logged as (${chainedSql({ storeId: entry.store_id, entryRef: entry.id, at, kind: 'claimed', by: null })})
    select ${entryColumns} from changed e`);

export type NewEntry = Pick<
  Entry,
  | 'id'
  | 'entry_id'
  | 'store_id'
  | 'customer_id'
  | 'guest_name'
  | 'guest_phone'
  | 'address_hash'
  | 'service_id'
  | 'preferred_unit_id'
  | 'party_size'
  | 'quoted_wait_min'
>;

type EntryKey = Pick<Entry, 'id' | 'store_id'>;

interface Made {
  readonly at: Date;
  readonly by: ChangedBy | null;
}

interface Quoted extends Made {
  readonly quotes: KeptQuotes;
}

interface Claimed {
  readonly event: OutboxEntry;
  readonly at: Date;
}

export interface EntryChange extends Made {
  readonly kind: LogKind;
  readonly status: Entry['status'];
  readonly calledAt: 'set' | 'clear' | 'keep';
  readonly holdUntil: string | null;
  readonly appointmentId: string | null;
  readonly ends: boolean;
  readonly freesSeats: boolean;
}

/**
 * Reopens an entry with the seats it had left, publishes and logs it, in one statement. One that joined at its very instant moves it behind
 * by a microsecond, since no two active entries share one.
 */
export const reopenEntry = async (tx: Transaction, entry: Entry, change: Reopened, event: OutboxEntry): Promise<Entry> =>
  await tx.one(sql.prepared('reopen-entry', Entry)`
    with published as (${insertEventsSql(tx, [event])}), seated as (
      insert into seat (appointment_id, entry_ref, store_id, unit_id, starts_at, ends_at)
      select ${entry.appointment_id}::uuid, ${entry.id}::uuid, ${entry.store_id}::uuid, unit_id, starts_at, ends_at
      from ${sql.unnest(seatRows(change.seats), ['uuid', 'timestamptz', 'timestamptz'])} as seats (unit_id, starts_at, ends_at)
      on conflict (appointment_id, unit_id, starts_at) do update set ends_at = excluded.ends_at, freed_at = null
    ), changed as (
    update entry e set
      status = ${change.status},
      hold_until = ${change.holdUntil}::timestamptz,
      joined_at = coalesce((
        select max(o.joined_at) + interval '1 microsecond' from entry o
        where o.store_id = ${entry.store_id} and o.status in ('waiting', 'called', 'assigned')
          and o.joined_at >= ${entry.joined_at}::timestamptz and o.joined_at < ${entry.joined_at}::timestamptz + interval '1 millisecond'
      ), e.joined_at),
      ended_at = null, ended_from = null, reopened_at = ${change.at.toISOString()},
      by_id = ${change.by?.id ?? null}, by_name = ${change.by?.name ?? null},
      event_sequence = e.event_sequence + 1
    where e.id = ${entry.id} returning e.*
    ), logged as (${chainedSql({ storeId: entry.store_id, entryRef: entry.id, kind: 'reopened', ...change })})
    select ${entryColumns} from changed e`);

export interface Reopened extends Made {
  readonly status: 'waiting' | 'called' | 'assigned';
  readonly holdUntil: string | null;
  readonly seats: readonly Seat[];
  readonly detail: string | null;
}

const SeatRow = z.object({ unit_id: z.string(), from: z.number(), to: z.number() });

/** Includes the seats that the entry has left. */
export const findSeats = async (queries: Queries, { id, appointment_id }: Entry): Promise<readonly Seat[]> => {
  const rows = await queries.any(sql.prepared('find-seats', SeatRow)`
    select unit_id, extract(epoch from starts_at) * 1000 as "from", extract(epoch from ends_at) * 1000 as "to"
    from seat where entry_ref = ${id} and appointment_id = ${appointment_id}`);
  return rows.map(({ unit_id, from, to }) => ({ chairId: unit_id, from, to }));
};

export async function insertSeats(queries: Queries, appointmentId: string, { id, store_id }: Entry, seats: readonly Seat[]): Promise<void> {
  await queries.query(sql.prepared('insert-seats', NoColumns)`
    insert into seat (appointment_id, entry_ref, store_id, unit_id, starts_at, ends_at)
    select ${appointmentId}::uuid, ${id}::uuid, ${store_id}::uuid, unit_id, starts_at, ends_at
    from ${sql.unnest(seatRows(seats), ['uuid', 'timestamptz', 'timestamptz'])} as seats (unit_id, starts_at, ends_at)`);
}

const seatRows = (seats: readonly Seat[]) =>
  seats.map(({ chairId, from, to }) => [chairId, new Date(from).toISOString(), new Date(to).toISOString()]);
