import { type OutboxEntry, outboxInserted, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Seat } from '../rules/wait/seat-parties.ts';
import { Entry, entryColumns } from './entries.ts';

/**
 * Inserts a waiting entry behind all active entries of the store, and publishes its event, in one statement. `joined_at` orders the queue,
 * so it is later than theirs even when the clocks of two replicas differ.
 */
export const insertEntry = async (queries: Queries, entry: NewEntry, event: OutboxEntry, now: Date): Promise<Entry> =>
  await queries.one(sql.prepared('insert-entry', Entry)`
    with published as (${outboxInserted([event])})
    insert into entry as e (
      id, entry_id, store_id, customer_id, guest_name, guest_phone, service_id, preferred_unit_id, party_size, status, joined_at,
      quoted_wait_min, event_sequence
    )
    values (
      ${entry.id}, ${entry.entry_id}, ${entry.store_id}, ${entry.customer_id}, ${entry.guest_name}, ${entry.guest_phone},
      ${entry.service_id}, ${entry.preferred_unit_id}, ${entry.party_size}, 'waiting',
      greatest(${now.toISOString()}::timestamptz, (
        select max(joined_at) + interval '1 microsecond' from entry
        where store_id = ${entry.store_id} and status in ('waiting', 'called', 'assigned'))),
      ${entry.quoted_wait_min}, 1
    )
    returning ${entryColumns}`);

/**
 * Changes an entry's status, frees the seats of one that leaves a chair, and publishes the event, in one statement. `hold_until` is
 * replaced; `appointment_id` is kept when null is given.
 */
export const updateEntry = async (queries: Queries, id: string, change: EntryChange, event: OutboxEntry): Promise<Entry> =>
  await queries.one(sql.prepared('update-entry', Entry)`
    with published as (${outboxInserted([event])}), freed as (
      update seat set freed_at = ${change.now.toISOString()} where entry_ref = ${id} and freed_at is null and ${change.freesSeats}::boolean
    )
    update entry e set
      status = ${change.status},
      called_at = case ${change.calledAt} when 'set' then ${change.now.toISOString()}::timestamptz when 'clear' then null else e.called_at end,
      hold_until = ${change.holdUntil}::timestamptz,
      appointment_id = coalesce(${change.appointmentId}::uuid, e.appointment_id),
      ended_at = case when ${change.ends}::boolean then ${change.now.toISOString()}::timestamptz end,
      event_sequence = e.event_sequence + 1
    where e.id = ${id} returning ${entryColumns}`);

/**
 * Gives a guest's entry to a customer, whose name is kept elsewhere, and publishes that, in one statement. The phone number stays until the
 * entry's details are erased, since the party expects to be called on it.
 */
export const updateOwner = async (queries: Queries, id: string, customerId: string, event: OutboxEntry): Promise<Entry> =>
  await queries.one(sql.prepared('update-owner', Entry)`
    with published as (${outboxInserted([event])})
    update entry e set customer_id = ${customerId}, guest_name = null, event_sequence = e.event_sequence + 1
    where e.id = ${id} returning ${entryColumns}`);

/** Erases the names and phone numbers of guests whose entries ended a day before `now` or earlier. */
export async function eraseGuestDetails(queries: Queries, now: Date): Promise<void> {
  await queries.query(sql.prepared('erase-guest-details', z.object({}))`
    update entry set guest_name = null, guest_phone = null
    where ended_at <= ${now.toISOString()}::timestamptz - interval '24 hours' and (guest_name is not null or guest_phone is not null)`);
}

export type NewEntry = Omit<Entry, 'status' | 'joined_at' | 'called_at' | 'hold_until' | 'appointment_id' | 'ended_at' | 'event_sequence'>;

export interface EntryChange {
  readonly status: Entry['status'];
  readonly now: Date;
  readonly calledAt: 'set' | 'clear' | 'keep';
  /** ISO 8601. */
  readonly holdUntil: string | null;
  readonly appointmentId: string | null;
  /** Whether the entry ends with this change. */
  readonly ends: boolean;
  /** Whether the entry leaves a chair. */
  readonly freesSeats: boolean;
}

/** Inserts the seats of an entry, all under one appointment. */
export async function insertSeats(queries: Queries, appointmentId: string, { id, store_id }: Entry, seats: readonly Seat[]): Promise<void> {
  const rows = seats.map(({ chairId, from, to }) => [chairId, new Date(from).toISOString(), new Date(to).toISOString()]);
  await queries.query(sql.prepared('insert-seats', z.object({}))`
    insert into seat (appointment_id, entry_ref, store_id, unit_id, starts_at, ends_at)
    select ${appointmentId}::uuid, ${id}::uuid, ${store_id}::uuid, unit_id, starts_at, ends_at
    from ${sql.unnest(rows, ['uuid', 'timestamptz', 'timestamptz'])} as seats (unit_id, starts_at, ends_at)`);
}
