import type { Transaction } from '@corner/chassis';
import { bookingMoved, type ChangedBy, Problem, sessionCancelled, sessionChanged } from '@corner/contracts';
import { isPublished } from '../../rules/bookings.ts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import { findBookingsOfSession } from '../../tables/session-bookings.ts';
import { findSession, insertSession, type Session, type SessionTime, updateBooking, updateSession } from '../../tables/sessions.ts';
import { lockQueue } from '../lock-queue.ts';
import { bookingEvent, orNotFree, sessionEvent, timeOf } from './booking-event.ts';
import { applyStep } from './change-booking.ts';
import { findChair, serviceIn } from './find-chair.ts';
import { endLine, moveLine, offerPlaces } from './waitlist.ts';

/** A repeat under one id returns what it made. Throws STORE_NOT_FOUND, SERVICE_NOT_FOUND, UNIT_NOT_FOUND and TIME_NOT_FREE. */
export async function makeClass(
  tx: Transaction,
  { id: wantedId, storeId, serviceId, unitId, from, minutes, places, by }: NewClass,
): Promise<Session> {
  const queue = await lockQueue(tx, storeId);
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const made = wantedId === null ? null : await findSession(tx, storeId, wantedId);
  if (made) return made;
  const service = serviceIn(queue, serviceId);
  const long = minutes === null ? {} : { minutes };
  const time = await findChair(tx, queue, storeId, { service, from, unitId, forStaff: true, ...long });
  const id = wantedId ?? tx.newId();
  const session = { id, store_id: storeId, places, taken: 0, event_sequence: 1 };
  const event = sessionEvent(tx, sessionChanged, session, { time, by, serviceName: service.name, timeZone: queue.timeZone });
  return await orNotFree(insertSession(tx, { id, storeId, serviceId, places, time }, event, { at: tx.now, by }));
}

async function lockClass(
  tx: Transaction,
  { storeId, sessionId }: Pick<ClassKey, 'storeId' | 'sessionId'>,
): Promise<{ queue: LiveQueue; session: Session }> {
  const queue = await lockQueue(tx, storeId);
  const session = queue && (await findSession(tx, storeId, sessionId));
  if (!session) throw new Problem('SESSION_NOT_FOUND');
  return { queue, session };
}

/** Publishes a new time for each booking of the class. Throws what {@link makeClass} throws, INVALID_TRANSITION and TOO_MANY_BOOKINGS. */
export async function changeClass(tx: Transaction, { by, wanted, ...key }: ClassKey & { readonly wanted: ClassChange }): Promise<Session> {
  const { queue, session } = await lockClass(tx, key);
  if (session.state !== 'open') throw new Problem('INVALID_TRANSITION', { message: `The class is ${session.state}.` });
  const places = wanted.places ?? session.places;
  if (places < session.taken) throw new Problem('TOO_MANY_BOOKINGS', { message: `${session.taken} places are booked.` });
  const before = timeOf(session);
  const moves = wanted.from !== null || wanted.unitId !== null || wanted.minutes !== null;
  const time = moves ? await timeOfChange(tx, queue, session, wanted) : before;
  const changed = { ...session, places, event_sequence: session.event_sequence + 1 };
  const about = { time, previousFrom: before.from, by, serviceName: serviceNameIn(queue, session), timeZone: queue.timeZone };
  const change = { time, places, state: 'open', kind: 'class_changed', detail: null, at: tx.now, by } as const;
  const written = await orNotFree(updateSession(tx, session, change, sessionEvent(tx, sessionChanged, changed, about)));
  if (time.from !== before.from) {
    await moveBookings(tx, session, { time, previousFrom: before.from, by });
    await moveLine(tx, session, { previousFrom: before.from, by });
  }
  await offerPlaces(tx, { store_id: session.store_id, session_id: session.id });
  return written;
}

function timeOfChange(tx: Transaction, queue: LiveQueue, session: Session, { from, minutes, unitId }: ClassChange): Promise<SessionTime> {
  const before = timeOf(session);
  const bufferMinutes = (before.freeAt - before.to) / 60_000;
  const service = { id: session.service_id, name: '', minutes: minutes ?? (before.to - before.from) / 60_000, bufferMinutes };
  const chair = { service, from: from ?? before.from, unitId: unitId ?? before.unitId, without: session.id, forStaff: true };
  return findChair(tx, queue, session.store_id, chair);
}

async function moveBookings(tx: Transaction, session: Session, { time, previousFrom, by }: MovedClass): Promise<void> {
  for (const booking of await findBookingsOfSession(tx, session.store_id, session.id)) {
    const after = { ...booking, event_sequence: booking.event_sequence + 1 };
    const event = isPublished(booking) ? bookingEvent(tx, bookingMoved, after, { time, previousFrom, by, cause: 'class' }) : null;
    const change = { status: booking.status, ends: false, time, state: null, started: false, sessionId: session.id, taken: 0 };
    await updateBooking(tx, booking, change, { event, kind: 'booking_moved', at: tx.now, by });
  }
}

/** Cancels the bookings too; a repeat changes nothing. Throws SESSION_NOT_FOUND. */
export async function cancelClass(
  tx: Transaction,
  { by, reason, ...key }: ClassKey & { readonly reason: string | null },
): Promise<Session> {
  const { queue, session } = await lockClass(tx, key);
  if (session.state === 'cancelled') return session;
  await endLine(tx, session, by);
  for (const booking of await findBookingsOfSession(tx, session.store_id, session.id))
    await applyStep(tx, booking, { step: 'cancel', by, detail: null, cause: 'class' });
  const time = timeOf(session);
  const cancelled = { ...session, taken: 0, event_sequence: session.event_sequence + 1 };
  const event = sessionEvent(tx, sessionCancelled, cancelled, {
    time,
    by,
    serviceName: serviceNameIn(queue, session),
    timeZone: queue.timeZone,
  });
  const change = { time, places: session.places, state: 'cancelled', kind: 'class_cancelled', detail: reason, at: tx.now, by } as const;
  return await updateSession(tx, session, change, event);
}

const serviceNameIn = ({ floor }: LiveQueue, { service_id }: Session): string | null =>
  floor.services.find(({ id }) => id === service_id)?.name ?? null;

interface NewClass {
  readonly id: string | null;
  readonly storeId: string;
  readonly serviceId: string;
  /** Null: any that offers the service. */
  readonly unitId: string | null;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Null: as long as the service takes. */
  readonly minutes: number | null;
  readonly places: number;
  /** Null for a class that its week has made. */
  readonly by: ChangedBy | null;
}

interface ClassKey {
  readonly storeId: string;
  readonly sessionId: string;
  readonly by: ChangedBy;
}

/** A field of null stays as it is. */
interface ClassChange {
  readonly from: number | null;
  readonly minutes: number | null;
  readonly unitId: string | null;
  readonly places: number | null;
}

interface MovedClass {
  readonly time: SessionTime;
  readonly previousFrom: number;
  readonly by: ChangedBy;
}
