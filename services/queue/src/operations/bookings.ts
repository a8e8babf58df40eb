import { type Caller, derivedUuid, type Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import { type Context, subscriberIn } from '../context.ts';
import { bookingView, diarySessionView, entryBookingView, storeBookingView } from '../rules/booking-view.ts';
import type { BookingStep } from '../rules/bookings.ts';
import { byOf, isStaff } from '../rules/callers.ts';
import { isOwnEntry } from '../rules/entry-view.ts';
import { daysOf, freeTimes } from '../rules/times.ts';
import { findEntryInDiary, listDiary, readDiary } from '../tables/diary.ts';
import { findBooking, listBookingsOf } from '../tables/session-bookings.ts';
import { markChangedByStaff } from '../tables/weekly-classes.ts';
import { acceptPlace } from '../transactions/bookings/accept-place.ts';
import { moveBooking as move, reopenBooking as reopen, stepBooking } from '../transactions/bookings/change-booking.ts';
import { cancelClass, changeClass, makeClass } from '../transactions/bookings/classes.ts';
import { checkUnit, floorOf, serviceIn } from '../transactions/bookings/find-chair.ts';
import { makeBooking as book } from '../transactions/bookings/make-booking.ts';
import { readCurrentQueue } from '../transactions/lock-queue.ts';

export const readTimes: Operation<typeof contracts.readTimes, Context> = async ({ params, query, caller }, { database, now }) => {
  const { store_id: storeId } = params;
  const queue = await readCurrentQueue(database, storeId, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const service = serviceIn(queue, query.service_id);
  checkUnit(queue, query.unit_id ?? null);
  const at = now().getTime();
  const { from, to } = daysOf(queue.timeZone, { from: query.from ?? null, days: query.days, now: at });
  const span = { from: Math.max(from, at), to };
  const forStaff = isStaff(caller);
  const diary = await readDiary(database, storeId, span);
  if (!diary) throw new Problem('STORE_NOT_FOUND');
  const times = diary.accepted || forStaff ? freeTimes(floorOf(queue, diary, forStaff), service, query.unit_id ?? null, span) : [];
  const classes = diary.accepted || forStaff ? diary.classes.filter(({ service_id }) => service_id === service.id) : [];
  return {
    accepted: diary.accepted,
    notice_minutes: diary.notice_minutes,
    time_zone: queue.timeZone,
    deposit_item_id: diary.deposit_item_id,
    times: times.map((time) => ({ starts_at: new Date(time.from).toISOString(), unit_ids: [...time.chairIds] })),
    classes: classes.map(({ id, taken, state: _state, free_at: _free, event_sequence: _sequence, ...session }) => ({
      ...session,
      session_id: id,
      source: 'own' as const,
      places_left: session.places - taken,
    })),
  };
};

const staffOf = (caller: Caller) => (isStaff(caller) ? byOf(caller) : null);

/**
 * Books a time, or a place in a class. A customer's name and phone number are kept elsewhere; only a guest's are taken from the request. A
 * repeat after a crash gets the booking that its Idempotency-Key has made.
 */
export const makeBooking: Operation<typeof contracts.makeBooking, Context> = async (
  { body, caller, idempotencyKey, header },
  { database, newCredential },
) => {
  const by = staffOf(caller);
  const customerId = caller.type === 'customer' ? caller.id : null;
  if (customerId === null && !by && !body.guest_phone)
    throw new Problem('VALIDATION_FAILED', { message: 'body.guest_phone: a guest is reached by phone; send one, or sign in' });
  const request = {
    id: idempotencyKey === undefined ? null : derivedUuid(`queue.book:${caller.type}:${caller.id}:${idempotencyKey}`),
    appointmentId: newCredential(),
    storeId: body.store_id,
    customerId,
    guestName: customerId === null ? (body.guest_name ?? 'Guest') : null,
    guestPhone: customerId === null ? (body.guest_phone ?? null) : null,
    wanted: wantedIn(body),
    subscriber: subscriberIn(header),
    by,
  };
  return { booking: bookingView(await database.transaction((tx) => book(tx, request))) };
};

type BookingBody = Parameters<typeof makeBooking>[0]['body'];

function wantedIn({ session_id, service_id, starts_at, unit_id, party_size, wait }: BookingBody) {
  if (session_id) return { sessionId: session_id, partySize: party_size, wait: wait === true };
  if (!starts_at)
    throw new Problem('VALIDATION_FAILED', { message: 'body.starts_at: send it for an appointment, or session_id for a class' });
  if (!service_id) throw new Problem('VALIDATION_FAILED', { message: 'body.service_id: an appointment is for a service' });
  if (party_size > 1)
    throw new Problem('VALIDATION_FAILED', { message: 'body.party_size: an appointment is for one person; book one for each' });
  return { serviceId: service_id, from: Date.parse(starts_at), unitId: unit_id ?? null };
}

/** Another person's booking is reported as not found. */
export const readBooking: Operation<typeof contracts.readBooking, Context> = async ({ params, query, caller }, { database }) => {
  const booking = await findBooking(database, query.store_id, params.appointment_id);
  if (booking && mayChange(caller, booking)) return { booking: bookingView(booking) };
  const seat = booking ? null : await findEntryInDiary(database, query.store_id, params.appointment_id);
  if (!seat?.entry || !maySee(caller, seat.entry)) throw new Problem('BOOKING_NOT_FOUND');
  const { bookings: _none, entry, ...session } = seat;
  return { booking: entryBookingView(session, entry) };
};

/** Staff are authorised for the store of the request, and the booking was looked up in that store. */
const maySee = (caller: Caller, booking: { readonly customer_id: string | null }): boolean =>
  isStaff(caller) || isOwnEntry(booking, caller);

/** A guest's booking has its id as the credential, so a guest who has signed in since keeps it. */
const mayChange = (caller: Caller, booking: { readonly customer_id: string | null }): boolean =>
  booking.customer_id === null || maySee(caller, booking);

export const moveBooking: Operation<typeof contracts.moveBooking, Context> = async ({ params, body, caller }, { database }) => {
  await checkOwner(database, params, body, caller);
  const wanted = {
    from: body.starts_at ? Date.parse(body.starts_at) : null,
    unitId: body.unit_id ?? null,
    sessionId: body.session_id ?? null,
  };
  return { booking: bookingView(await database.transaction((tx) => move(tx, { ...keyOf({ params, body, caller }), wanted }))) };
};

export const cancelBooking: Operation<typeof contracts.cancelBooking, Context> = async ({ params, body, caller }, { database }) => {
  await checkOwner(database, params, body, caller);
  const request = { ...keyOf({ params, body, caller }), step: 'cancel', reason: isStaff(caller) ? (body.reason ?? null) : null } as const;
  return { booking: bookingView(await database.transaction((tx) => stepBooking(tx, request))) };
};

export const acceptBooking: Operation<typeof contracts.acceptBooking, Context> = async ({ params, body, caller }, { database }) => {
  await checkOwner(database, params, body, caller);
  return { booking: bookingView(await database.transaction((tx) => acceptPlace(tx, keyOf({ params, body, caller })))) };
};

async function checkOwner(database: Context['database'], params: OfBooking, body: OfStore, caller: Caller): Promise<void> {
  const booking = await findBooking(database, body.store_id, params.appointment_id);
  if (!booking || !mayChange(caller, booking)) throw new Problem('BOOKING_NOT_FOUND');
}

const keyOf = ({ params, body, caller }: { readonly params: OfBooking; readonly body: OfStore; readonly caller: Caller }) => ({
  storeId: body.store_id,
  appointmentId: params.appointment_id,
  by: staffOf(caller),
});

const listedDays = 30;
const mostListed = 100;

export const listMyBookings: Operation<typeof contracts.listMyBookings, Context> = async ({ query, caller }, { database, now }) => {
  const after = new Date(now().getTime() - listedDays * 86_400_000);
  const bookings = await listBookingsOf(database, { customerId: caller.id, storeId: query.store_id ?? null, after, limit: mostListed });
  return { bookings: bookings.map(bookingView) };
};

export const listStoreBookings: Operation<typeof contracts.listStoreBookings, Context> = async ({ params, query }, { database, now }) => {
  const queue = await readCurrentQueue(database, params.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  const { day, ...span } = daysOf(queue.timeZone, { from: query.day ?? null, days: 1, now: now().getTime() });
  const rows = await listDiary(database, params.store_id, span);
  return { day, time_zone: queue.timeZone, sessions: rows.map(diarySessionView) };
};

const operationOf =
  (step: BookingStep) =>
  async ({ params, body, caller }: StepRequest, { database }: Context) => {
    const request = { storeId: body.store_id, appointmentId: params.appointment_id, by: byOf(caller), step, reason: body.reason ?? null };
    return { booking: storeBookingView(await database.transaction((tx) => stepBooking(tx, request))) };
  };

export const bookingSteps = {
  confirmBooking: operationOf('confirm'),
  arriveBooking: operationOf('arrive'),
  completeBooking: operationOf('complete'),
  noShowBooking: operationOf('noShow'),
};

export const reopenBooking: Operation<typeof contracts.reopenBooking, Context> = async ({ params, body, caller }, { database }) => {
  const request = { storeId: body.store_id, appointmentId: params.appointment_id, by: byOf(caller), reason: body.reason ?? null };
  return { booking: storeBookingView(await database.transaction((tx) => reopen(tx, request))) };
};

export const makeSession: Operation<typeof contracts.makeSession, Context> = async ({ body, caller, idempotencyKey }, { database }) => {
  const request = {
    id: idempotencyKey === undefined ? null : derivedUuid(`queue.class:${caller.id}:${idempotencyKey}`),
    storeId: body.store_id,
    serviceId: body.service_id,
    unitId: body.unit_id,
    from: Date.parse(body.starts_at),
    minutes: body.minutes ?? null,
    places: body.places,
    by: byOf(caller),
  };
  const { id } = await database.transaction((tx) => makeClass(tx, request));
  return await sessionReply(database, body.store_id, id, request.from);
};

export const changeSession: Operation<typeof contracts.changeSession, Context> = async ({ params, body, caller }, { database }) => {
  const wanted = {
    from: body.starts_at ? Date.parse(body.starts_at) : null,
    minutes: body.minutes ?? null,
    unitId: body.unit_id ?? null,
    places: body.places ?? null,
  };
  const request = { storeId: body.store_id, sessionId: params.session_id, by: byOf(caller), wanted };
  const { id, starts_at } = await database.transaction(async (tx) => {
    const changed = await changeClass(tx, request);
    await markChangedByStaff(tx, changed.id);
    return changed;
  });
  return await sessionReply(database, body.store_id, id, Date.parse(starts_at));
};

export const cancelSession: Operation<typeof contracts.cancelSession, Context> = async ({ params, body, caller }, { database }) => {
  const request = { storeId: body.store_id, sessionId: params.session_id, by: byOf(caller), reason: body.reason ?? null };
  const { id, starts_at } = await database.transaction(async (tx) => {
    const cancelled = await cancelClass(tx, request);
    await markChangedByStaff(tx, cancelled.id);
    return cancelled;
  });
  return await sessionReply(database, body.store_id, id, Date.parse(starts_at));
};

async function sessionReply(database: Context['database'], storeId: string, id: string, from: number) {
  const found = (await listDiary(database, storeId, { from, to: from + 1 })).find(({ session_id }) => session_id === id);
  if (!found) throw new Problem('SESSION_NOT_FOUND');
  return { session: diarySessionView(found) };
}

interface OfBooking {
  readonly appointment_id: string;
}
interface OfStore {
  readonly store_id: string;
}
interface StepRequest {
  readonly caller: Caller;
  readonly params: OfBooking;
  readonly body: OfStore & { readonly reason?: string | null | undefined };
}
