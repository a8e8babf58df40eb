import { columns, insertEventsSql, instantOf, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { IntegrityConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { BookingStatus } from '../rules/bookings.ts';
import type { LogKind } from '../rules/log.ts';
import { loggedSql } from './log.ts';
import type { Booking } from './session-bookings.ts';

export const Session = z.object({
  id: z.string(),
  store_id: z.string(),
  unit_id: z.string(),
  service_id: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  free_at: z.string(),
  places: z.number(),
  taken: z.number(),
  state: z.enum(['open', 'done', 'cancelled']),
  event_sequence: z.number(),
});
export type Session = z.output<typeof Session>;

export const sessionColumns = columns(Session, { alias: 's', overrides: { starts_at: instantOf, ends_at: instantOf, free_at: instantOf } });

/** Whether a session takes its chair. Written so that the constraint's own index, which covers every store, is not used. */
export const isOpenSql = sql.fragment`coalesce(state, '') = 'open'`;

/** Null for an appointment, which is no class. */
export const findSession = (queries: Queries, storeId: string, id: string): Promise<Session | null> =>
  queries.maybeOne(sql.prepared('find-session', Session)`
    select ${sessionColumns} from session s where s.id = ${id} and s.store_id = ${storeId} and s.places > 1`);

/**
 * A constraint refused the statement: someone else has the chair, or the last place of the class. Nothing is written, and the transaction
 * has failed.
 */
export class TimeTaken extends Error {}

async function orTaken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const taken =
      error instanceof IntegrityConstraintViolationError &&
      ['one_session_of_a_chair', 'session_has_place'].includes(error.constraint ?? '');
    throw taken ? new TimeTaken('the chair or the last place was taken', { cause: error }) : error;
  }
}

/** Instants are epoch milliseconds. */
export interface SessionTime {
  readonly unitId: string;
  readonly from: number;
  readonly to: number;
  readonly freeAt: number;
}

const instant = (at: number): string => new Date(at).toISOString();

/** Here and in the four functions below: one statement writes, publishes and logs. Throws {@link TimeTaken}. */
export const insertSession = (tx: Transaction, session: NewSession, event: OutboxEntry, { at, by }: Made): Promise<Session> =>
  orTaken(
    tx.one(sql.prepared('insert-session', Session)`
    with published as (${insertEventsSql(tx, [event])}), logged as (${loggedSql({ storeId: session.storeId, entryRef: null, at, kind: 'class_made', by })})
    insert into session as s (id, store_id, unit_id, service_id, starts_at, ends_at, free_at, places, event_sequence)
    values (${session.id}, ${session.storeId}, ${session.time.unitId}, ${session.serviceId}, ${instant(session.time.from)},
      ${instant(session.time.to)}, ${instant(session.time.freeAt)}, ${session.places}, 1)
    returning ${sessionColumns}`),
  );

export interface NewSession {
  readonly id: string;
  readonly storeId: string;
  readonly serviceId: string;
  readonly places: number;
  readonly time: SessionTime;
}

export const updateSession = (tx: Transaction, { id, store_id }: Session, change: SessionChange, event: OutboxEntry): Promise<Session> =>
  orTaken(
    tx.one(sql.prepared('update-session', Session)`
    with published as (${insertEventsSql(tx, [event])}), logged as (${loggedSql({ storeId: store_id, entryRef: null, ...change })})
    update session s set unit_id = ${change.time.unitId}, starts_at = ${instant(change.time.from)}, ends_at = ${instant(change.time.to)},
      free_at = ${instant(change.time.freeAt)}, places = ${change.places}, state = ${change.state}, event_sequence = s.event_sequence + 1
    where s.id = ${id} and s.store_id = ${store_id} returning ${sessionColumns}`),
  );

export interface SessionChange extends Made {
  readonly kind: LogKind;
  readonly time: SessionTime;
  readonly places: number;
  readonly state: Session['state'];
  readonly detail: string | null;
}

export async function insertAppointment(
  tx: Transaction,
  booking: NewBooking,
  time: SessionTime & { readonly serviceId: string },
  written: Written,
): Promise<void> {
  await orTaken(
    tx.query(sql.prepared('insert-appointment', NoColumns)`
    with ${writtenSql(tx, booking, written)}, timed as (
      insert into session (id, store_id, unit_id, service_id, starts_at, ends_at, free_at, places, taken)
      values (${booking.session_id}, ${booking.store_id}, ${time.unitId}, ${time.serviceId}, ${instant(time.from)}, ${instant(time.to)},
        ${instant(time.freeAt)}, 1, 1)
    ) ${insertBookingSql(booking, written)}`),
  );
}

export async function insertClassBooking(tx: Transaction, booking: NewBooking, written: Written): Promise<void> {
  await orTaken(
    tx.query(sql.prepared('insert-class-booking', NoColumns)`
    with ${writtenSql(tx, booking, written)}, timed as (
      update session set taken = taken + ${booking.status === 'waiting' ? 0 : booking.party_size}
      where id = ${booking.session_id} and store_id = ${booking.store_id}
    ) ${insertBookingSql(booking, written)}`),
  );
}

const writtenSql = (
  tx: Transaction,
  { id, store_id }: Pick<Booking, 'id' | 'store_id'>,
  { event, kind, at, by, detail }: Written,
) => sql.fragment`
  published as (${insertEventsSql(tx, event ? [event] : [])}),
  logged as (${loggedSql({ storeId: store_id, entryRef: null, bookingRef: id, at, kind, by, detail: detail ?? null })})`;

const insertBookingSql = (booking: NewBooking, { at, by }: Made) => sql.fragment`
  insert into session_booking (id, appointment_id, session_id, store_id, customer_id, guest_name, guest_phone, address_hash, party_size, status,
    made_at, by_id, by_name, event_sequence, line_number)
  values (${booking.id}, ${booking.appointment_id}, ${booking.session_id}, ${booking.store_id}, ${booking.customer_id}, ${booking.guest_name},
    ${booking.guest_phone}, ${booking.address_hash}, ${booking.party_size}, ${booking.status}, ${at.toISOString()}, ${by?.id ?? null},
    ${by?.name ?? null}, 1, case when ${booking.status}::text = 'waiting' then (
      select coalesce(max(w.line_number), 0) + 1 from session_booking w where w.session_id = ${booking.session_id}) end)`;

export async function updateBooking(tx: Transaction, booking: Booking, change: BookingChange, written: Written): Promise<void> {
  const { time, state, started, sessionId, taken } = change;
  await orTaken(
    tx.query(sql.prepared('update-session-booking', NoColumns)`
    with ${writtenSql(tx, booking, written)}, timed as (
      update session set unit_id = ${time.unitId}, starts_at = ${instant(time.from)}, ends_at = ${instant(time.to)}, free_at = ${instant(time.freeAt)},
        state = coalesce(${state}, state), started = ${started}, taken = taken + ${taken}
      where id = ${booking.session_id} and store_id = ${booking.store_id}
    ), joined as (
      update session set taken = taken + ${booking.party_size}
      where id = ${sessionId} and id <> ${booking.session_id} and store_id = ${booking.store_id}
    )
    update session_booking set session_id = ${sessionId}, status = ${change.status}, offer_until = ${change.offerUntil ?? null}::timestamptz,
      address_hash = case when ${written.by?.id ?? null}::text is null and not ${change.ends}::boolean then address_hash end,
      ended_at = case when ${change.ends}::boolean then ${written.at.toISOString()}::timestamptz end,
      ended_from = case when ${change.ends}::boolean then status end,
      by_id = ${written.by?.id ?? null}, by_name = ${written.by?.name ?? null}, event_sequence = event_sequence + 1
    where id = ${booking.id} and store_id = ${booking.store_id}`),
  );
}

export interface BookingChange {
  readonly status: BookingStatus;
  readonly ends: boolean;
  /** Until when a place is kept for one that waits. */
  readonly offerUntil?: string | null;
  readonly time: SessionTime;
  /** The new state of an appointment's time; null for a class, whose state stays. */
  readonly state: Session['state'] | null;
  readonly started: boolean;
  readonly sessionId: string;
  /** The change in the session's taken places. */
  readonly taken: number;
}

export type NewBooking = Pick<
  Booking,
  'id' | 'appointment_id' | 'session_id' | 'store_id' | 'customer_id' | 'guest_name' | 'guest_phone' | 'party_size' | 'status'
> & { readonly address_hash: string | null };

interface Made {
  readonly at: Date;
  readonly by: ChangedBy | null;
}

export interface Written extends Made {
  /** Null while the deposit of the booking is due. */
  readonly event: OutboxEntry | null;
  readonly kind: LogKind;
  readonly detail?: string | null;
}
