import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import {
  type BookingData,
  type ChangedBy,
  type DataOf,
  type EventContract,
  Problem,
  type SessionData,
  type WaitlistData,
} from '@corner/contracts';
import { shownStatus } from '../../rules/bookings.ts';
import type { Booking } from '../../tables/session-bookings.ts';
import { type Session, type SessionTime, TimeTaken } from '../../tables/sessions.ts';

type BookedChange = Pick<
  Booking,
  'id' | 'session_id' | 'store_id' | 'customer_id' | 'party_size' | 'status' | 'places' | 'service_name' | 'time_zone' | 'event_sequence'
>;

/** `booking` is the booking after the change. The event names it by `id`, since the appointment id is a credential. */
export function bookingEvent(
  tx: Transaction,
  event: EventContract<typeof BookingData>,
  booking: BookedChange,
  { time, previousFrom = null, by, cause = by ? 'store' : 'owner', noShows = null }: BookingEventDetails,
): OutboxEntry {
  const { id, session_id, store_id, customer_id, party_size, status, places, service_name, time_zone } = booking;
  const data = {
    booking_ref: id,
    session_id,
    store_id,
    service_name,
    customer_id,
    party_size,
    status: shownStatus(status),
    places,
    time_zone,
    cause,
    no_shows: noShows,
    ...timesOf(time, previousFrom),
    by_id: by?.id ?? null,
    at: tx.now.toISOString(),
  };
  return outboxEntry(event, {
    aggregateId: id,
    sequence: booking.event_sequence,
    storeId: store_id,
    customerId: customer_id ?? undefined,
    data,
  });
}

/** `booking` is the booking after the change. */
export function waitlistEvent(
  tx: Transaction,
  event: EventContract<typeof WaitlistData>,
  booking: Omit<BookedChange, 'status'>,
  { time, previousFrom = null, by, ...details }: WaitlistEventDetails,
): OutboxEntry {
  const { id, session_id, store_id, customer_id, party_size, places, service_name, time_zone } = booking;
  const data = {
    booking_ref: id,
    session_id,
    store_id,
    service_name,
    customer_id,
    party_size,
    places,
    time_zone,
    ...details,
    ...timesOf(time, previousFrom),
    by_id: by?.id ?? null,
    at: tx.now.toISOString(),
  };
  const about = { aggregateId: id, sequence: booking.event_sequence, storeId: store_id, customerId: customer_id ?? undefined };
  return outboxEntry(event, { ...about, data });
}

interface WaitlistEventDetails extends Pick<DataOf<EventContract<typeof WaitlistData>>, 'place' | 'offer_until' | 'cause'> {
  readonly time: SessionTime;
  readonly previousFrom?: number | null;
  readonly by: ChangedBy | null;
}

export interface BookingEventDetails {
  readonly time: SessionTime;
  /** The start before the change, in epoch milliseconds; null when it did not move. */
  readonly previousFrom?: number | null;
  readonly by: ChangedBy | null;
  /** Absent: the store when `by` is given, and else the owner. */
  readonly cause?: DataOf<EventContract<typeof BookingData>>['cause'];
  readonly noShows?: DataOf<EventContract<typeof BookingData>>['no_shows'];
}

export function sessionEvent(
  tx: Transaction,
  event: EventContract<typeof SessionData>,
  session: Pick<Session, 'id' | 'store_id' | 'places' | 'taken' | 'event_sequence'>,
  { time, previousFrom = null, by, serviceName, timeZone }: SessionEventDetails,
): OutboxEntry {
  const { id, store_id, places, taken, event_sequence } = session;
  const data = {
    session_id: id,
    store_id,
    places,
    taken,
    service_name: serviceName,
    time_zone: timeZone,
    ...timesOf(time, previousFrom),
    by_id: by?.id ?? null,
    at: tx.now.toISOString(),
  };
  return outboxEntry(event, { aggregateId: id, sequence: event_sequence, storeId: store_id, data });
}

interface SessionEventDetails {
  readonly time: SessionTime;
  readonly previousFrom?: number | null;
  readonly by: ChangedBy | null;
  readonly serviceName: string | null;
  readonly timeZone: string;
}

const timesOf = ({ from, to }: SessionTime, previousFrom: number | null) => ({
  starts_at: new Date(from).toISOString(),
  ends_at: new Date(to).toISOString(),
  previous_starts_at: previousFrom === null || previousFrom === from ? null : new Date(previousFrom).toISOString(),
});

export const timeOf = ({
  unit_id,
  starts_at,
  ends_at,
  free_at,
}: Pick<Session, 'unit_id' | 'starts_at' | 'ends_at' | 'free_at'>): SessionTime => ({
  unitId: unit_id,
  from: Date.parse(starts_at),
  to: Date.parse(ends_at),
  freeAt: Date.parse(free_at),
});

/** Throws TIME_NOT_FREE when a constraint has found the chair or the place taken. */
export async function orNotFree<T>(change: Promise<T>, message?: string): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof TimeTaken) throw new Problem('TIME_NOT_FREE', { cause: error, ...(message === undefined ? {} : { message }) });
    throw error;
  }
}
