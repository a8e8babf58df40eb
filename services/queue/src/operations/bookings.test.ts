// covers: convertQueueEntry
// covers: confirmBooking
// covers: arriveBooking
// covers: completeBooking
// covers: noShowBooking
// covers: readTimes
// covers: makeBooking
// covers: readBooking
// covers: moveBooking
// covers: cancelBooking
// covers: listMyBookings
// covers: listStoreBookings
// covers: reopenBooking

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { explainBookings } from '../tables/explain-bookings.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, customerSnapshot, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 2, { bookings_accepted: true, booking_notice_minutes: 60 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const at = (time: string) => `2026-05-01T${time}:00Z`;
let numbers = 0;
const aPhone = () => {
  numbers += 1;
  return `+4477009${String(numbers).padStart(5, '0')}`;
};

const book = (time: string, more: object = {}, token: string | null = null, headers = {}) =>
  salon.post(
    'bookings',
    { service_id: salon.cut, starts_at: at(time), ...(token ? {} : { guest_name: 'Dee', guest_phone: aPhone() }), ...more },
    token,
    headers,
  );
const appointmentId = async (response: Promise<ApiResponse>): Promise<string> => {
  const { status, body } = await response;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.booking.appointment_id;
};
const times = async (query: Record<string, string> = {}, token: string | null = null) =>
  (await salon.get(`stores/${salon.storeId}/times?${new URLSearchParams({ service_id: salon.cut, ...query })}`, token)).body;
const startsOf = (reply: { times: { starts_at: string }[] }) => reply.times.map(({ starts_at }) => starts_at.slice(11, 16));
const read = (id: string, token: string | null = null) => salon.get(`bookings/${id}?store_id=${salon.storeId}`, token);
const step = async (id: string, name: string, more: object = {}, token?: string | null) =>
  salon.post(`bookings/${id}/${name}`, more, token === undefined ? await salon.staff() : token);
const tokenOf = (sub: string) => running.issuer.token({ typ: 'customer', sub });
const published = async () => (await salon.published()).map(({ type, data }) => [type, data.status]);

describe('free times', () => {
  test('are every quarter of an hour at which a chair is free for the service and its buffer, by the rule of waits', async () => {
    await salon.book(at('11:00'), at('16:10'));
    await salon.book(at('11:20'), at('16:50'), { unit_id: salon.chairs[1] as string });
    const reply = await times({ days: '1' });
    expect(reply).toMatchObject({ accepted: true, notice_minutes: 60, time_zone: 'Europe/London', classes: [] });
    expect(reply.times).toEqual([
      { starts_at: '2026-05-01T16:15:00.000Z', unit_ids: [salon.chairs[0]] },
      { starts_at: '2026-05-01T16:30:00.000Z', unit_ids: [salon.chairs[0]] },
    ]);
    expect(startsOf(await times({ days: '1', service_id: salon.beard }))).toEqual(['11:00', '16:15', '16:30', '16:45']);
  });

  test('leave out a closure, and what begins at or after closing', async () => {
    await salon.setStore({
      hours: [{ day: 5, opens: '09:00', closes: '13:00' }],
      closures: [{ starts_at: at('11:15'), ends_at: at('11:40') }],
    });
    expect(startsOf(await times({ days: '1' }))).toEqual(['11:45']);
  });

  test('are within the openings: not before the first, not between two, and after midnight while one of the day before lasts', async () => {
    const hours = [
      { day: 5, opens: '14:00', closes: '15:00' },
      { day: 5, opens: '16:45', closes: '01:00' },
    ];
    const shifts = [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-02T03:00:00Z' }];
    const late = await openSalon(running, 1, { bookings_accepted: true, hours }, { units: [{ shifts }] });
    const offered = startsOf((await late.get(`stores/${late.storeId}/times?service_id=${late.cut}&days=2`)).body);
    expect(offered.slice(0, 6)).toEqual(['13:00', '13:15', '13:30', '13:45', '15:45', '16:00']);
    expect(offered.at(-1)).toBe('23:45');
    const refused = await late.post('bookings', { service_id: late.cut, starts_at: at('14:30'), guest_phone: aPhone() });
    expect(code(refused)).toEqual([409, 'TIME_NOT_FREE']);
  });

  test('are those that the line of walk-ins leaves, and a wait counts what is booked', async () => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const free = async () => startsOf((await one.get(`stores/${one.storeId}/times?service_id=${one.cut}&days=1`)).body)[0];
    expect(await free()).toBe('11:00');
    await one.add();
    expect(await free()).toBe('11:30');
    const taken = { service_id: one.cut, starts_at: at('11:45'), guest_phone: aPhone() };
    expect((await one.post('bookings', taken)).status).toBe(200);
    // 11:30 to 11:45 is too short for the next walk-in.
    expect((await one.join()).body.expected_wait_min).toBe(75);
  });

  test('of a store that takes no bookings are none for customers, and those of the chairs for staff', async () => {
    await salon.setStore({ bookings_accepted: false });
    expect(await times({ days: '1' })).toMatchObject({ accepted: false, times: [] });
    expect((await times({ days: '1' }, await salon.staff())).times).not.toEqual([]);
  });

  test('are refused for an unknown store, service or chair', async () => {
    expect(code(await salon.get(`stores/${randomUUID()}/times?service_id=${salon.cut}`))).toEqual([404, 'STORE_NOT_FOUND']);
    expect((await times({ service_id: randomUUID() })).error.code).toBe('SERVICE_NOT_FOUND');
    expect((await times({ unit_id: randomUUID() })).error.code).toBe('UNIT_NOT_FOUND');
  });
});

describe('booking:', () => {
  test('a customer books a time, reads it, and finds it on their list', async () => {
    const { id, token } = await someCustomer(running);
    const { body } = await book('12:00', {}, token);
    expect(body.booking).toMatchObject({
      source: 'own',
      status: 'booked',
      customer_id: id,
      guest_name: null,
      party_size: 1,
      places: 1,
      service_id: salon.cut,
      service_name: 'Cut',
      unit_id: salon.chairs[0],
      unit_name: 'Chair 1',
      starts_at: '2026-05-01T12:00:00.000000Z',
      ends_at: '2026-05-01T12:25:00.000000Z',
      changes_until: '2026-05-01T11:00:00.000Z',
    });
    expect((await read(body.booking.appointment_id, token)).body).toEqual(body);
    expect((await salon.get('bookings', token)).body.bookings).toEqual([body.booking]);
    expect(startsOf(await times({ days: '1', unit_id: salon.chairs[0] as string }))).toEqual(
      expect.not.arrayContaining(['11:45', '12:00', '12:15']),
    );
    expect(await salon.published()).toMatchObject([
      { type: 'booking.made', sequence: 1, data: { customer_id: id, service_name: 'Cut', cause: 'owner', by_id: null } },
    ]);
  });

  test('no event and no log has the credential of a guest or their number', async () => {
    const phone = aPhone();
    const id = await appointmentId(book('12:00', { guest_phone: phone }));
    await step(id, 'cancel', { reason: 'Ill' });
    const events = JSON.stringify(await salon.published());
    expect(events).not.toContain(id);
    expect(events).not.toContain(phone);
    const titles = (await salon.log()).body.entries.map(({ title, detail }: { title: string; detail: string | null }) => [title, detail]);
    expect(titles).toEqual([
      ['The booking of Dee was cancelled', 'Ill'],
      ['Dee booked a time', null],
    ]);
  });

  test('an operator finds its facts by the credential, which is not among them, and by the customer', async () => {
    const { id: customer, token } = await someCustomer(running);
    const id = await appointmentId(book('12:00', {}, token));
    for (const asked of [id, customer]) {
      const { facts, also } = await explainBookings(running.service.database, [asked]);
      expect(facts.map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(/^Customer .* booked a time of chair .* the booking is now booked\.$/),
        'The time of the booking begins, and lasts until 12:25.',
      ]);
      expect(JSON.stringify([facts, also])).not.toContain(id);
    }
  });

  test('fifty who book the only chair at one time get it once', async () => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const responses = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { token } = await someCustomer(running);
        return one.post('bookings', { service_id: one.cut, starts_at: at('12:00') }, token);
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 200).map((response) => code(response).join()))).toEqual(
      new Set(['409,TIME_NOT_FREE']),
    );
    expect((await one.published()).map(({ type }) => type)).toEqual(['booking.made']);
  });

  test('the database refuses two bookings of one chair, whatever the service believes', async () => {
    await book('12:00', { unit_id: salon.chairs[0] });
    const again = running.service.database.query(sql.type(z.object({}))`
      insert into session (id, store_id, unit_id, service_id, starts_at, ends_at, free_at, places)
      values (${randomUUID()}, ${salon.storeId}, ${salon.chairs[0] as string}, ${salon.cut}, ${at('12:29')}, ${at('12:40')}, ${at('12:40')}, 1)`);
    await expect(again).rejects.toMatchObject({ constraint: 'one_session_of_a_chair' });
  });

  test('a time that no chair has, or that is not offered, is refused', async () => {
    await salon.book(at('12:00'), at('13:00'));
    for (const more of [{ unit_id: salon.chairs[0] }, { starts_at: at('17:00') }, { starts_at: at('10:45') }, { starts_at: at('14:05') }])
      expect(code(await book('12:00', more))).toEqual([409, 'TIME_NOT_FREE']);
    expect(code(await book('12:00', { service_id: randomUUID() }))).toEqual([422, 'SERVICE_NOT_FOUND']);
    expect(code(await book('12:00', { unit_id: randomUUID() }))).toEqual([422, 'UNIT_NOT_FOUND']);
    expect((await book('12:00')).body.booking.unit_id).toBe(salon.chairs[1]);
  });

  test('a guest names a phone number, and has two bookings from one address and one with a number at most', async () => {
    expect((await book('12:00', { guest_phone: null })).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('body.guest_phone'),
    });
    expect((await book('12:00', { guest_phone: '12' })).body.error.message).toContain('guest_phone');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const phone = aPhone();
    expect((await book('12:00', { guest_phone: phone }, null, from('192.0.2.1'))).status).toBe(200);
    expect(code(await book('14:00', { guest_phone: phone }, null, from('192.0.2.2')))).toEqual([409, 'TOO_MANY_BOOKINGS']);
    expect((await book('14:00', {}, null, from('192.0.2.1'))).status).toBe(200);
    expect(code(await book('15:00', {}, null, from('192.0.2.1')))).toEqual([409, 'TOO_MANY_BOOKINGS']);
    expect((await book('15:00', {}, null, from('192.0.2.3'))).status).toBe(200);
  });

  test('a customer has eight bookings ahead at a store at most', async () => {
    const { token } = await someCustomer(running);
    const quarters = ['12:00', '12:15', '12:30', '12:45', '13:00', '13:15', '13:30', '13:45'];
    for (const time of quarters) expect((await book(time, { service_id: salon.beard }, token)).status).toBe(200);
    expect(code(await book('15:00', {}, token))).toEqual([409, 'TOO_MANY_BOOKINGS']);
  });

  test('a store that takes no bookings refuses customers; its staff book also while it is closed, not on a chair that is taken', async () => {
    await salon.setStore({ bookings_accepted: false, closures: [{ starts_at: at('12:00'), ends_at: at('13:00') }] });
    expect(code(await book('14:00'))).toEqual([409, 'BOOKINGS_NOT_ACCEPTED']);
    const token = await salon.staff();
    const byStaff = (time: string) => book(time, { guest_name: 'Eve', guest_phone: null, unit_id: salon.chairs[0] }, token);
    expect((await byStaff('12:05')).body.booking).toMatchObject({
      guest_name: 'Eve',
      status: 'booked',
      starts_at: expect.stringContaining('12:05'),
    });
    expect(code(await byStaff('12:10'))).toEqual([409, 'TIME_NOT_FREE']);
  });

  test('a repeat with the same Idempotency-Key makes one booking', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const phone = aPhone();
    const [first, second] = [
      await book('12:00', { guest_phone: phone }, null, key),
      await book('12:00', { guest_phone: phone }, null, key),
    ];
    expect(second.body).toEqual(first.body);
    expect(await published()).toEqual([['booking.made', 'booked']]);
  });
});

test('a guest who moves a booking still has it counted for their address', async () => {
  const from = { 'x-forwarded-for': '192.0.2.9' };
  for (const time of ['12:00', '13:00']) {
    const id = await appointmentId(book(time, {}, null, from));
    expect((await step(id, 'move', { starts_at: at(time.replace(':00', ':30')) }, null)).status).toBe(200);
  }
  expect(code(await book('15:00', {}, null, from))).toEqual([409, 'TOO_MANY_BOOKINGS']);
});

describe('whose booking it is:', () => {
  test('another customer, a guest with another id, and the staff of another store do not find it', async () => {
    const { token } = await someCustomer(running);
    const id = await appointmentId(book('13:00', {}, token));
    const stranger = (await someCustomer(running)).token;
    const other = await openSalon(running);
    for (const caller of [null, stranger]) {
      expect(code(await read(id, caller))).toEqual([404, 'BOOKING_NOT_FOUND']);
      expect(code(await step(id, 'cancel', {}, caller))).toEqual([404, 'BOOKING_NOT_FOUND']);
      expect(code(await step(id, 'move', { starts_at: at('15:00') }, caller))).toEqual([404, 'BOOKING_NOT_FOUND']);
    }
    expect(code(await step(id, 'arrive', {}, await other.staff()))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(code(await other.post(`bookings/${id}/arrive`, {}, await other.staff()))).toEqual([404, 'BOOKING_NOT_FOUND']);
    expect(code(await step(id, 'arrive', {}, token))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });

  test('a guest has it by its id', async () => {
    const id = await appointmentId(book('13:00'));
    expect((await read(id)).body.booking).toMatchObject({ guest_name: 'Dee', status: 'booked' });
    expect((await step(id, 'cancel', {}, null)).body.booking.status).toBe('cancelled');
  });

  test('a guest who has signed in meanwhile still has it by its id', async () => {
    const id = await appointmentId(book('13:00'));
    const { token } = await someCustomer(running);
    expect((await read(id, token)).body.booking).toMatchObject({ customer_id: null, status: 'booked' });
    expect((await step(id, 'move', { starts_at: at('14:00') }, token)).status).toBe(200);
    expect((await step(id, 'cancel', {}, token)).body.booking.status).toBe('cancelled');
  });
});

describe('moving and cancelling:', () => {
  test('the owner moves a booking until the notice, and the time that it had is free again', async () => {
    const customer = randomUUID();
    let token = await tokenOf(customer);
    const id = await appointmentId(book('13:00', { unit_id: salon.chairs[0] }, token));
    const moved = (await step(id, 'move', { starts_at: at('13:15') }, token)).body.booking;
    expect(moved).toMatchObject({ appointment_id: id, unit_id: salon.chairs[0], starts_at: expect.stringContaining('13:15') });
    expect((await salon.published()).at(-1)).toMatchObject({
      type: 'booking.moved',
      sequence: 2,
      data: { previous_starts_at: '2026-05-01T13:00:00.000Z', starts_at: '2026-05-01T13:15:00.000Z', cause: 'owner' },
    });
    await step(id, 'move', { starts_at: at('13:15') }, token);
    expect(await salon.published()).toHaveLength(2);
    running.clock.set('2026-05-01T12:15:01Z');
    token = await tokenOf(customer);
    expect(code(await step(id, 'move', { starts_at: at('15:00') }, token))).toEqual([409, 'NOTICE_PASSED']);
    expect(code(await step(id, 'cancel', {}, token))).toEqual([409, 'NOTICE_PASSED']);
    expect((await step(id, 'move', { starts_at: at('15:00') })).body.booking.starts_at).toContain('15:00');
  });

  test('a move to a time that is taken changes nothing', async () => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const bookOne = async (time: string) =>
      (await one.post('bookings', { service_id: one.cut, starts_at: at(time), guest_phone: aPhone() })).body.booking.appointment_id;
    const [first, second] = [await bookOne('13:00'), await bookOne('14:00')];
    expect(code(await one.post(`bookings/${second}/move`, { starts_at: at('13:15') }))).toEqual([409, 'TIME_NOT_FREE']);
    const swap = await Promise.all([first, second].map((id) => one.post(`bookings/${id}/move`, { starts_at: at('15:00') })));
    expect(swap.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a cancelled booking frees its time, and a repeat changes nothing', async () => {
    const id = await appointmentId(book('13:00', { unit_id: salon.chairs[0] }));
    for (const _ of [1, 2]) expect((await step(id, 'cancel', {}, null)).body.booking.status).toBe('cancelled');
    expect(await published()).toEqual([
      ['booking.made', 'booked'],
      ['booking.cancelled', 'cancelled'],
    ]);
    expect((await book('13:00', { unit_id: salon.chairs[0] })).status).toBe(200);
    expect(code(await step(id, 'arrive'))).toEqual([409, 'INVALID_TRANSITION']);
    expect(code(await step(id, 'move', { starts_at: at('15:00') }))).toEqual([409, 'INVALID_TRANSITION']);
  });
});

describe('the day of a booking:', () => {
  test('a party that is early sits down when its chair is free until its time', async () => {
    const id = await appointmentId(book('12:00', { unit_id: salon.chairs[0] }));
    running.clock.set('2026-05-01T11:50:00Z');
    expect((await step(id, 'arrive')).body.booking).toMatchObject({
      status: 'arrived',
      starts_at: '2026-05-01T11:50:00.000000Z',
      ends_at: '2026-05-01T12:15:00.000000Z',
    });
  });

  test('a party that is early waits for its time while someone else has the chair', async () => {
    await salon.book(at('11:00'), at('12:00'));
    const id = await appointmentId(book('12:00', { unit_id: salon.chairs[0] }));
    expect((await step(id, 'arrive')).body.booking).toMatchObject({ status: 'arrived', starts_at: expect.stringContaining('12:00') });
  });

  test('a chair is taken while its party overruns, and is free once it was served', async () => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const { body } = await one.post('bookings', { service_id: one.cut, starts_at: at('11:30'), guest_phone: aPhone() });
    const id = body.booking.appointment_id;
    running.clock.set('2026-05-01T11:30:00Z');
    await one.post(`bookings/${id}/arrive`, {}, await one.staff());
    running.clock.set('2026-05-01T12:10:00Z');
    const entry = (await one.join()).body.entry_id;
    expect((await one.status({ entry_id: entry })).body.entry.expected_wait_min).toBe(5);
    await one.post(`bookings/${id}/complete`, {}, await one.staff());
    expect((await one.status({ entry_id: entry })).body.entry.expected_wait_min).toBe(0);
    expect((await one.published()).map(({ type }) => type)).toEqual(['booking.made', 'booking.arrived', 'queue.joined', 'booking.done']);
  });

  test('a no-show is one from its start on, frees the chair, and is undone', async () => {
    const id = await appointmentId(book('11:30', { unit_id: salon.chairs[0] }));
    expect(code(await step(id, 'no-show'))).toEqual([409, 'INVALID_TRANSITION']);
    running.clock.set('2026-05-01T11:30:00Z');
    expect((await step(id, 'no-show')).body.booking.status).toBe('no_show');
    expect(startsOf(await times({ days: '1', unit_id: salon.chairs[0] as string }))[0]).toBe('11:30');
    expect((await step(id, 'reopen', { reason: 'He was there' })).body.booking.status).toBe('booked');
    expect((await step(id, 'complete')).body.booking).toMatchObject({ status: 'done', by: { name: 'Cy' } });
    expect((await published()).slice(1)).toEqual([
      ['booking.no_show', 'no_show'],
      ['booking.reopened', 'booked'],
      ['booking.done', 'done'],
    ]);
  });

  test('an end is not undone once someone else has the chair', async () => {
    const id = await appointmentId(book('11:30', { unit_id: salon.chairs[0] }));
    running.clock.set('2026-05-01T11:30:00Z');
    await step(id, 'no-show');
    await book('11:45', { unit_id: salon.chairs[0] }, await salon.staff());
    expect(code(await step(id, 'reopen'))).toEqual([409, 'TIME_NOT_FREE']);
  });

  test.each(['a walk-in', 'the directory'])('an end is not undone once %s has the chair', async (who) => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const { body } = await one.post('bookings', { service_id: one.cut, starts_at: at('11:30'), guest_phone: aPhone() });
    const stepOne = async (name: string) => one.post(`bookings/${body.booking.appointment_id}/${name}`, {}, await one.staff());
    running.clock.set(at('11:30'));
    await stepOne('no-show');
    if (who === 'the directory') await one.book(at('11:45'), at('12:15'));
    else expect((await one.move('assign', (await one.join()).body.entry_id)).status).toBe(200);
    expect(code(await stepOne('reopen'))).toEqual([409, 'TIME_NOT_FREE']);
    expect((await one.get(`bookings/${body.booking.appointment_id}?store_id=${one.storeId}`)).body.booking.status).toBe('no_show');
  });

  test('an end is not undone while a walk-in who overruns is still in the chair', async () => {
    const one = await openSalon(running, 1, { bookings_accepted: true });
    const { body } = await one.post('bookings', { service_id: one.cut, starts_at: at('11:30'), guest_phone: aPhone() });
    await one.move('assign', (await one.join()).body.entry_id);
    running.clock.set(at('11:35'));
    for (const [name, status] of [
      ['no-show', 200],
      ['reopen', 409],
    ] as const)
      expect((await one.post(`bookings/${body.booking.appointment_id}/${name}`, {}, await one.staff())).status).toBe(status);
  });

  test('a party arrives on the day of its booking at the store, or in the night about its start, and on no other', async () => {
    const shifts = [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-02T17:00:00Z' }];
    const next = await openSalon(running, 1, { bookings_accepted: true }, { units: [{ shifts }] });
    const arrive = async (id: string) => next.post(`bookings/${id}/arrive`, {}, await next.staff());
    const booked = async (starts_at: string) =>
      appointmentId(next.post('bookings', { service_id: next.cut, starts_at }, await next.staff()));
    const [tomorrow, night] = [await booked('2026-05-02T10:00:00Z'), await booked('2026-05-01T22:45:00Z')];
    expect((await arrive(tomorrow)).body.error).toMatchObject({
      code: 'INVALID_TRANSITION',
      message: expect.stringContaining('2026-05-02T10:00:00'),
    });
    running.clock.set('2026-05-01T23:10:00Z');
    expect((await arrive(night)).body.booking.status).toBe('arrived');
    running.clock.set('2026-05-02T07:00:00Z');
    expect((await arrive(tomorrow)).body.booking.status).toBe('arrived');
  });

  test('the day of the diary has bookings, seats of walk-ins and the bookings of the directory as one', async () => {
    const { id, token } = await someCustomer(running);
    await running.consume(customerSnapshot(id, 1));
    await book('14:00', { unit_id: salon.chairs[0] }, token);
    const entry = (await salon.join({ guest_name: 'Flo' })).body.entry_id;
    await salon.move('assign', entry);
    await salon.book(at('15:00'), at('15:30'));
    const { body } = await salon.get(`stores/${salon.storeId}/bookings`, await salon.staff());
    expect(body).toMatchObject({ day: '2026-05-01', time_zone: 'Europe/London' });
    expect(body.sessions).toMatchObject([
      { source: 'walk_in', unit_name: 'Chair 1', bookings: [{ guest_name: 'Flo', status: 'arrived' }] },
      { source: 'own', service_name: 'Cut', bookings: [{ customer_id: id, customer_name: 'Version 1', status: 'booked' }] },
      { source: 'upstream', starts_at: '2026-05-01T15:00:00.000000Z', bookings: [] },
    ]);
    expect((await salon.get(`stores/${salon.storeId}/bookings?day=2026-05-02`, await salon.staff())).body.sessions).toEqual([]);
  });
});

describe('after the no-shows that the store allows', () => {
  test('a customer’s bookings wait for the store, until a no-show is undone', async () => {
    await salon.setStore({ no_shows_allowed: 2 });
    const customer = randomUUID();
    const missed: string[] = [];
    for (const time of ['11:15', '12:00']) {
      missed.push(await appointmentId(book(time, {}, await tokenOf(customer))));
      running.clock.set(at(time));
      await step(missed.at(-1) ?? '', 'no-show');
    }
    expect((await salon.published()).filter(({ type }) => type === 'booking.no_show').map(({ data }) => data.no_shows)).toEqual([
      { count: 1, allowed: 2 },
      { count: 2, allowed: 2 },
    ]);
    const token = await tokenOf(customer);
    const waits = await appointmentId(book('14:00', {}, token));
    expect((await read(waits, token)).body.booking.status).toBe('requested');
    expect((await step(waits, 'confirm')).body.booking).toMatchObject({ status: 'booked', by: { name: 'Cy' } });
    await step(missed[0] ?? '', 'reopen');
    expect((await book('15:00', {}, token)).body.booking.status).toBe('booked');
  });

  test('one that was long ago does not count', async () => {
    await salon.setStore({ no_shows_allowed: 1, no_show_months: 1 });
    const customer = randomUUID();
    const id = await appointmentId(book('11:15', {}, await tokenOf(customer)));
    running.clock.set(at('11:15'));
    await step(id, 'no-show');
    await running.service.database.query(sql.type(z.object({}))`
      update session_booking set ended_at = ended_at - interval '32 days' where appointment_id = ${id}`);
    expect((await book('15:00', {}, await tokenOf(customer))).body.booking.status).toBe('booked');
  });
});

describe('an entry of the queue', () => {
  test('becomes a booking, which its appointment_id names', async () => {
    const { token } = await someCustomer(running);
    const entry = (await salon.join({}, token)).body.entry_id;
    const converted = (await salon.move('convert', entry, { starts_at: at('13:00') })).body.entry;
    expect(converted.status).toBe('converted_to_appointment');
    expect((await read(converted.appointment_id, token)).body.booking).toMatchObject({
      source: 'own',
      status: 'booked',
      service_name: 'Cut',
      starts_at: '2026-05-01T13:00:00.000000Z',
    });
    expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined', 'booking.made', 'queue.converted']);
  });

  test('stays when the time is not free, or its party is of more than one', async () => {
    const entry = (await salon.join({ preferred_unit_id: salon.chairs[0] })).body.entry_id;
    await salon.book(at('13:00'), at('14:00'));
    expect(code(await salon.move('convert', entry, { starts_at: at('13:00') }))).toEqual([409, 'TIME_NOT_FREE']);
    const party = (await salon.join({ party_size: 2 })).body.entry_id;
    expect(code(await salon.move('convert', party, { starts_at: at('15:00') }))).toEqual([400, 'VALIDATION_FAILED']);
    expect((await salon.list()).body.entries.map(({ status }: { status: string }) => status)).toEqual(['waiting', 'waiting']);
  });

  test('has a seat that its appointment_id names', async () => {
    const entry = (await salon.join({ guest_name: 'Flo' })).body.entry_id;
    const { appointment_id } = (await salon.move('assign', entry)).body.entry;
    expect((await read(appointment_id)).body.booking).toMatchObject({
      source: 'walk_in',
      status: 'arrived',
      guest_name: 'Flo',
      unit_name: 'Chair 1',
      changes_until: null,
    });
    await salon.move('complete', entry);
    expect((await read(appointment_id)).body.booking.status).toBe('done');
    expect(code(await read(appointment_id, (await someCustomer(running)).token))).toEqual([404, 'BOOKING_NOT_FOUND']);
  });
});
