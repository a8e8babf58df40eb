// covers: makeBooking
// covers: moveBooking
// covers: makeSession
// covers: changeSession
// covers: cancelSession

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
let staff: string;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 2, { bookings_accepted: true, booking_notice_minutes: 60 });
  staff = await salon.staff();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const at = (time: string) => `2026-05-01T${time}:00Z`;

const make = (more: object = {}, token: string | null = staff, headers = {}) =>
  salon.post(
    'sessions',
    { service_id: salon.cut, unit_id: salon.chairs[0], starts_at: at('14:00'), minutes: 60, places: 12, ...more },
    token,
    headers,
  );
const classId = async (more: object = {}): Promise<string> => {
  const { status, body } = await make(more);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.session.session_id;
};
const join = async (id: string, more: object = {}) =>
  salon.post('bookings', { session_id: id, ...more }, (await someCustomer(running)).token);
const change = (id: string, more: object) => salon.post(`sessions/${id}/change`, more, staff);
const types = async () => (await salon.published()).map(({ type, data }) => `${type} ${data.cause ?? ''}`.trim());

describe('a class', () => {
  test('takes its chair, and is offered with the places that are left', async () => {
    const id = await classId();
    await join(id, { party_size: 2 });
    const reply = (await salon.get(`stores/${salon.storeId}/times?service_id=${salon.cut}&days=1&unit_id=${salon.chairs[0]}`)).body;
    expect(reply.classes).toMatchObject([{ session_id: id, places: 12, places_left: 10, unit_name: 'Chair 1', service_name: 'Cut' }]);
    const starts = reply.times.map(({ starts_at }: { starts_at: string }) => starts_at.slice(11, 16));
    expect(starts).toContain('13:30');
    expect(starts).not.toContain('13:45');
    expect(starts).not.toContain('15:00');
    expect(starts).toContain('15:15');
  });

  test('has as many bookings as places, however many ask at once', async () => {
    const id = await classId({ places: 12 });
    const responses = await Promise.all(Array.from({ length: 20 }, () => join(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(responses.filter(({ status }) => status !== 200).map(code)).toEqual(Array(8).fill([409, 'TIME_NOT_FREE']));
  });

  test('is not joined once it has begun, by an unknown id, or where it is another store’s', async () => {
    const id = await classId();
    const other = await openSalon(running, 1, { bookings_accepted: true });
    expect(code(await other.post('bookings', { session_id: id }, (await someCustomer(running)).token))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(code(await join(randomUUID()))).toEqual([404, 'SESSION_NOT_FOUND']);
    running.clock.set('2026-05-01T14:00:00Z');
    expect(code(await join(id))).toEqual([409, 'TIME_NOT_FREE']);
  });

  test('gives a place back that is cancelled, and one that moves to another class', async () => {
    const [first, second] = [await classId({ places: 2 }), await classId({ places: 2, unit_id: salon.chairs[1] })];
    const { token } = await someCustomer(running);
    const { appointment_id } = (await salon.post('bookings', { session_id: first, party_size: 2 }, token)).body.booking;
    expect(code(await join(first))).toEqual([409, 'TIME_NOT_FREE']);
    const move = (session_id: string) => salon.post(`bookings/${appointment_id}/move`, { session_id }, token);
    expect(code(await move(randomUUID()))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect((await move(second)).body.booking.session_id).toBe(second);
    expect(code(await join(second))).toEqual([409, 'TIME_NOT_FREE']);
    const kept = (await join(first)).body.booking;
    expect(kept.session_id).toBe(first);
    await salon.post(`bookings/${appointment_id}/cancel`, {}, token);
    expect((await join(second)).status).toBe(200);
  });

  test('that is moved keeps those who booked, and an event for each says so; one with too few places is refused', async () => {
    const id = await classId();
    for (const _ of [1, 2, 3]) await join(id);
    expect(code(await change(id, { places: 2 }))).toEqual([409, 'TOO_MANY_BOOKINGS']);
    expect((await change(id, { places: 3 })).body.session).toMatchObject({ places: 3, taken: 3 });
    const moved = (await change(id, { starts_at: at('15:00') })).body.session;
    expect(moved).toMatchObject({ starts_at: '2026-05-01T15:00:00.000000Z', ends_at: '2026-05-01T16:00:00.000000Z' });
    expect(moved.bookings).toHaveLength(3);
    expect((await types()).slice(4)).toEqual([
      'session.changed',
      'session.changed',
      'booking.moved class',
      'booking.moved class',
      'booking.moved class',
    ]);
    expect(code(await change(id, { starts_at: at('16:30') }))).toEqual([409, 'TIME_NOT_FREE']);
    expect(code(await change(id, { unit_id: randomUUID() }))).toEqual([422, 'UNIT_NOT_FOUND']);
  });

  test('that is cancelled takes no one back whose place had ended before', async () => {
    const id = await classId();
    const { appointment_id } = (await join(id)).body.booking;
    await salon.post(`bookings/${appointment_id}/complete`, {}, staff);
    await salon.post(`sessions/${id}/cancel`, {}, staff);
    expect(code(await salon.post(`bookings/${appointment_id}/reopen`, {}, staff))).toEqual([409, 'INVALID_TRANSITION']);
    const { booking } = (await salon.get(`bookings/${appointment_id}?store_id=${salon.storeId}`, staff)).body;
    expect(booking.status).toBe('done');
  });

  test('that is cancelled cancels its bookings and frees its chair; a repeat changes nothing', async () => {
    const id = await classId();
    await join(id);
    for (const _ of [1, 2]) {
      const { session } = (await salon.post(`sessions/${id}/cancel`, { reason: 'The teacher is ill' }, staff)).body;
      expect(session).toMatchObject({ state: 'cancelled', taken: 0, bookings: [{ status: 'cancelled' }] });
    }
    expect(await types()).toEqual(['session.changed', 'booking.made owner', 'booking.cancelled class', 'session.cancelled']);
    expect((await make()).status).toBe(200);
    expect(code(await change(id, { places: 20 }))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('is made once by a repeat, not where its chair is taken, and by staff alone', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await make({}, staff, key), await make({}, staff, key)];
    expect(second.body).toEqual(first.body);
    expect(code(await make())).toEqual([409, 'TIME_NOT_FREE']);
    expect(code(await make({ service_id: randomUUID() }))).toEqual([422, 'SERVICE_NOT_FOUND']);
    const store_id = randomUUID();
    const ofUnknown = await running.issuer.token({ typ: 'staff', stores: [{ id: store_id, role: 'staff' }] });
    expect(code(await make({ store_id }, ofUnknown))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(code(await make({ starts_at: at('16:30') }))).toEqual([409, 'TIME_NOT_FREE']);
    expect(code(await make({}, (await someCustomer(running)).token))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(code(await salon.post(`sessions/${randomUUID()}/cancel`, {}, staff))).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  test('of a year of Mondays begins at the same local time, over both changes of the clocks', async () => {
    const shifts = Array.from({ length: 52 }, (_, week) => {
      const day = Temporal.PlainDate.from('2026-05-04').add({ weeks: week });
      const instant = (time: string) => day.toZonedDateTime({ timeZone: 'Europe/London', plainTime: time }).toInstant().toString();
      return { day: day.toString(), starts_at: instant('17:00'), ends_at: instant('20:00'), class: instant('18:00') };
    });
    const units = [{ shifts: shifts.map(({ starts_at, ends_at }) => ({ starts_at, ends_at })) }];
    const yoga = await openSalon(running, 1, { bookings_accepted: true }, { units });
    const token = await yoga.staff();
    for (const { class: starts_at } of shifts)
      expect((await yoga.post('sessions', { service_id: yoga.cut, unit_id: yoga.chairs[0], starts_at, places: 12 }, token)).status).toBe(
        200,
      );
    for (const { day, class: starts_at } of shifts) {
      const { sessions } = (await yoga.get(`stores/${yoga.storeId}/bookings?day=${day}`, token)).body;
      expect(sessions.map((session: { starts_at: string }) => Date.parse(session.starts_at))).toEqual([Date.parse(starts_at)]);
      const { times } = (await yoga.get(`stores/${yoga.storeId}/times?service_id=${yoga.cut}&from=${day}&days=1`)).body;
      expect(
        times.map((time: { starts_at: string }) => Temporal.Instant.from(time.starts_at).toZonedDateTimeISO('Europe/London').hour),
      ).toEqual([17, 17, 17, 18, 18, 19, 19, 19]);
    }
  });
});
