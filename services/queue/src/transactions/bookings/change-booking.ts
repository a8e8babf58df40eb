import type { Transaction } from '@corner/chassis';
import {
  type BookingData,
  bookingArrived,
  bookingCancelled,
  bookingConfirmed,
  bookingDone,
  bookingMoved,
  bookingNoShow,
  bookingReopened,
  type ChangedBy,
  type EventContract,
  Problem,
} from '@corner/contracts';
import {
  arrivesOnDay,
  type BookingStep,
  changesUntil,
  checkStep,
  checkUndoing,
  isAhead,
  isLive,
  isPublished,
  steps,
} from '../../rules/bookings.ts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import type { LogKind } from '../../rules/log.ts';
import { chairAt, isTaken } from '../../rules/times.ts';
import { readDiary } from '../../tables/diary.ts';
import { type Booking, readBooker } from '../../tables/session-bookings.ts';
import { type BookingChange, findSession, type SessionTime, updateBooking } from '../../tables/sessions.ts';
import { type BookingEventDetails, bookingEvent, orNotFree, timeOf } from './booking-event.ts';
import { findChair, floorOf } from './find-chair.ts';
import { type BookingKey, lockBooking, refused, reread } from './lock-booking.ts';
import { returnDeposit } from './return-deposit.ts';
import { leaveLine, offerPlaces } from './waitlist.ts';

function checkNotice(booking: Booking, now: Date, by: ChangedBy | null): void {
  const until = changesUntil(booking, booking.notice_minutes);
  if (!by && (until === null || now.getTime() > until)) throw new Problem('NOTICE_PASSED');
}

/**
 * Makes a step of a booking and returns it; a repeat changes nothing. Throws BOOKING_NOT_FOUND, INVALID_TRANSITION and NOTICE_PASSED.
 */
export async function stepBooking(tx: Transaction, { step, reason, ...key }: StepRequest): Promise<Booking> {
  const { queue, booking } = await lockBooking(tx, key);
  const verdict = checkStep(booking.status, step);
  if (verdict === 'already-made') return booking;
  if (verdict === 'refused') throw refused(booking, `to be ${steps[step].to} it must be ${steps[step].from.join(' or ')}`);
  if (step === 'cancel') checkNotice(booking, tx.now, key.by);
  if (step === 'noShow' && tx.now.getTime() < Date.parse(booking.starts_at)) throw refused(booking, 'its time has not begun');
  if (step === 'arrive' && !arrivesOnDay(booking, tx.now.getTime()))
    throw refused(booking, `its party arrives on its day at the store; it begins at ${booking.starts_at}`);
  if (booking.status === 'waiting') {
    await leaveLine(tx, booking, { by: key.by, cause: key.by ? 'store' : 'owner', detail: reason });
    return await freed(tx, booking);
  }
  const early = step === 'arrive' && (await canBeginNow(tx, queue, booking));
  const noShows = step === 'noShow' ? await noShowsOf(tx, booking) : null;
  const changed = await applyStep(tx, booking, { step, by: key.by, detail: reason, early, noShows });
  return step === 'cancel' ? await freed(tx, changed) : changed;
}

/** Offers the place that the booking had to those who wait. */
async function freed(tx: Transaction, booking: Booking): Promise<Booking> {
  await offerPlaces(tx, booking);
  return await reread(tx, booking);
}

/** Includes the no-show that is recorded now; null for a guest, and at a store that does not limit no-shows. */
async function noShowsOf(tx: Transaction, { store_id: storeId, customer_id: customerId }: Booking): Promise<NoShows> {
  if (customerId === null) return null;
  const { no_shows, no_shows_allowed } = await readBooker(tx, { storeId, customerId, addressHash: null, phone: null, now: tx.now });
  return no_shows_allowed === null ? null : { count: no_shows + 1, allowed: no_shows_allowed };
}

export async function applyStep(
  tx: Transaction,
  booking: Booking,
  { step, by, detail, early = false, noShows = null, cause, kind = kindOf[step] }: AppliedStep,
): Promise<Booking> {
  const status = steps[step].to;
  const ends = !isLive(status);
  const isAlone = booking.places === 1;
  const before = timeOf(booking);
  const shift = early ? tx.now.getTime() - before.from : 0;
  const time = { unitId: before.unitId, from: before.from + shift, to: before.to + shift, freeAt: before.freeAt + shift };
  const change: BookingChange = {
    status,
    ends,
    time,
    sessionId: booking.session_id,
    state: isAlone && ends ? (status === 'cancelled' ? 'cancelled' : 'done') : null,
    started: isAlone && status === 'arrived',
    taken: ends && status !== 'done' ? -booking.party_size : 0,
  };
  const after = { ...booking, status, event_sequence: booking.event_sequence + 1 };
  const about = { time, previousFrom: before.from, by, noShows, ...(cause === undefined ? {} : { cause }) };
  const event = isPublished(booking) ? bookingEvent(tx, eventOf[step], after, about) : null;
  await updateBooking(tx, booking, change, { event, kind, at: tx.now, by, detail });
  if (step === 'cancel') await returnDeposit(tx, booking);
  return await reread(tx, booking);
}

const eventOf: Readonly<Record<BookingStep, EventContract<typeof BookingData>>> = {
  confirm: bookingConfirmed,
  cancel: bookingCancelled,
  arrive: bookingArrived,
  complete: bookingDone,
  noShow: bookingNoShow,
};

const kindOf: Readonly<Record<BookingStep, LogKind>> = {
  confirm: 'booking_confirmed',
  cancel: 'booking_cancelled',
  arrive: 'booking_arrived',
  complete: 'booking_done',
  noShow: 'booking_no_show',
};

async function canBeginNow(tx: Transaction, queue: LiveQueue, booking: Booking): Promise<boolean> {
  const { unitId, from, freeAt } = timeOf(booking);
  const now = tx.now.getTime();
  if (booking.places > 1 || now >= from) return false;
  const diary = await readDiary(tx, booking.store_id, { from: now, to: freeAt }, booking.session_id);
  const minutes = (freeAt - from) / 60_000;
  const asLong = { id: booking.service_id, name: '', minutes, bufferMinutes: 0 };
  return diary !== null && chairAt(floorOf(queue, diary, true), asLong, now, { chairId: unitId }) !== null;
}

/** Moves a booking to another time, or to another class. Throws what {@link stepBooking} and `findChair` throw, and SESSION_NOT_FOUND. */
export async function moveBooking(tx: Transaction, { wanted, ...key }: MoveRequest): Promise<Booking> {
  const { queue, booking } = await lockBooking(tx, key);
  const { by } = key;
  if (!isAhead(booking.status)) throw refused(booking, 'only one whose party is to come can be moved');
  checkNotice(booking, tx.now, by);
  const before = timeOf(booking);
  const target = await targetOf(tx, queue, booking, { wanted, by });
  const { time, sessionId } = target;
  if (sessionId === booking.session_id && time.from === before.from && time.unitId === before.unitId) return booking;
  const after = { ...booking, session_id: sessionId, event_sequence: booking.event_sequence + 1 };
  const event = bookingEvent(tx, bookingMoved, after, { time, previousFrom: before.from, by });
  const leaves = sessionId !== booking.session_id;
  const change = {
    status: booking.status,
    ends: false,
    state: null,
    started: false,
    sessionId,
    // The class that is left keeps its own time.
    time: leaves ? before : time,
    taken: leaves ? -booking.party_size : 0,
  };
  await orNotFree(updateBooking(tx, booking, change, { event, kind: 'booking_moved', at: tx.now, by }));
  if (leaves) await offerPlaces(tx, booking);
  return await reread(tx, booking);
}

async function targetOf(
  tx: Transaction,
  queue: LiveQueue,
  booking: Booking,
  { wanted, by }: Pick<MoveRequest, 'wanted'> & Pick<BookingKey, 'by'>,
) {
  if (booking.places > 1) {
    if (wanted.sessionId === null)
      throw new Problem('VALIDATION_FAILED', { message: 'body.session_id: a place in a class moves to another class' });
    const session = await findSession(tx, booking.store_id, wanted.sessionId);
    if (!session) throw new Problem('SESSION_NOT_FOUND');
    const time = timeOf(session);
    if (session.state !== 'open' || time.from <= tx.now.getTime())
      throw new Problem('TIME_NOT_FREE', { message: 'The class has begun, or was cancelled.' });
    return { time, sessionId: session.id };
  }
  if (wanted.from === null) throw new Problem('VALIDATION_FAILED', { message: 'body.starts_at: says when the appointment is to begin' });
  const { unitId, to, from, freeAt } = timeOf(booking);
  // The length stays that of when it was made, however long the service takes now.
  const service = { id: booking.service_id, name: '', minutes: (to - from) / 60_000, bufferMinutes: (freeAt - to) / 60_000 };
  const chair = {
    service,
    from: wanted.from,
    unitId: wanted.unitId,
    preferred: unitId,
    without: booking.session_id,
    forStaff: by !== null,
  };
  return { time: await findChair(tx, queue, booking.store_id, chair), sessionId: booking.session_id };
}

/** Undoes a completion or a no-show. Throws BOOKING_NOT_FOUND, INVALID_TRANSITION, and TIME_NOT_FREE when someone else has the chair. */
export async function reopenBooking(tx: Transaction, { reason, ...key }: ReopenRequest): Promise<Booking> {
  const { booking } = await lockBooking(tx, key);
  const undoing = checkUndoing(booking, tx.now.getTime());
  if (undoing.verdict === 'already-made') return booking;
  if (undoing.verdict === 'refused') throw new Problem('INVALID_TRANSITION', { message: undoing.why });
  const time = timeOf(booking);
  const isAlone = booking.places === 1;
  // A chair whose time is over is not taken again.
  const takesChair = isAlone && time.freeAt > tx.now.getTime();
  if (takesChair) await checkChair(tx, booking, time);
  const change: BookingChange = {
    status: undoing.to,
    ends: false,
    time,
    sessionId: booking.session_id,
    state: takesChair ? 'open' : null,
    started: isAlone && undoing.to === 'arrived',
    taken: booking.status === 'done' ? 0 : booking.party_size,
  };
  const after = { ...booking, status: undoing.to, event_sequence: booking.event_sequence + 1 };
  const event = bookingEvent(tx, bookingReopened, after, { time, by: key.by });
  await orNotFree(updateBooking(tx, booking, change, { event, kind: 'booking_reopened', at: tx.now, by: key.by, detail: reason }));
  return await reread(tx, booking);
}

async function checkChair(tx: Transaction, booking: Booking, { unitId, from, freeAt }: SessionTime): Promise<void> {
  const now = tx.now.getTime();
  const diary = await readDiary(tx, booking.store_id, { from: Math.min(from, now), to: freeAt }, booking.session_id);
  if (diary && isTaken(diary.occupied, { chairId: unitId, from, to: freeAt, now })) throw new Problem('TIME_NOT_FREE');
}

interface StepRequest extends BookingKey {
  readonly step: BookingStep;
  readonly reason: string | null;
}

type NoShows = BookingEventDetails['noShows'] & (object | null);

interface AppliedStep {
  readonly step: BookingStep;
  readonly by: ChangedBy | null;
  readonly detail: string | null;
  readonly early?: boolean;
  readonly noShows?: NoShows;
  readonly cause?: 'class';
  /** How the log calls it; absent, as the step is called. */
  readonly kind?: LogKind;
}

interface MoveRequest extends BookingKey {
  readonly wanted: { readonly from: number | null; readonly unitId: string | null; readonly sessionId: string | null };
}

interface ReopenRequest extends BookingKey {
  readonly reason: string | null;
}
