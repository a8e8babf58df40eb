// covers: acceptBooking
// covers: makeBooking

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { passPlaces } from '../entry-points.ts';
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

/** `customer` is null for a guest. A token lasts minutes, so each call has a new one. */
interface Person {
  readonly customer: string | null;
  readonly id: string;
}

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const at = (time: string) => `2026-05-01T${time}:00Z`;
const clock = (time: string) => running.clock.set(at(time));
const passes = () => passPlaces(running.service.context);

async function classOf(places: number, more: object = {}): Promise<string> {
  const body = { service_id: salon.cut, unit_id: salon.chairs[0], starts_at: at('14:00'), minutes: 60, places, ...more };
  return (await salon.post('sessions', body, staff)).body.session.session_id;
}
const ask = (session_id: string, token: string | null, more: object = {}) =>
  salon.post('bookings', { session_id, wait: true, ...more }, token);
async function join(session_id: string, more: object = {}): Promise<Person> {
  const { id: customer, token } = await someCustomer(running);
  const { status, body } = await ask(session_id, token, more);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { customer, id: body.booking.appointment_id };
}
const tokenOf = ({ customer }: Person) => (customer === null ? null : running.issuer.token({ typ: 'customer', sub: customer }));
const joinInTurn = async (session_id: string, count: number): Promise<Person[]> => {
  const people: Person[] = [];
  for (let nth = 0; nth < count; nth += 1) people.push(await join(session_id));
  return people;
};
const read = async (person: Person) =>
  (await salon.get(`bookings/${person.id}?store_id=${salon.storeId}`, await tokenOf(person))).body.booking;
const states = async (people: readonly Person[]) => {
  const found = [];
  for (const person of people) {
    const { status, waitlist } = await read(person);
    found.push(waitlist ? `${waitlist.place}${waitlist.offer_until ? ` until ${waitlist.offer_until.slice(11, 16)}` : ''}` : status);
  }
  return found;
};
const act = async (how: string, person: Person, body: object = {}) =>
  salon.post(`bookings/${person.id}/${how}`, body, await tokenOf(person));
const diary = async (session_id: string) => {
  const { sessions } = (await salon.get(`stores/${salon.storeId}/bookings?day=2026-05-01`, staff)).body;
  return sessions.find((session: { session_id: string }) => session.session_id === session_id);
};
const types = async () =>
  (await salon.published()).flatMap(({ type, data }) => (/waitlist/.test(type) ? [`${type} ${data.place} ${data.cause}`] : []));

describe('the waiting list of a full class', () => {
  test('keeps a cancelled place for the first in line for ten minutes, who takes it with one call', async () => {
    const id = await classOf(2);
    const [ana, ben, cai, dan] = (await joinInTurn(id, 4)) as [Person, Person, Person, Person];
    expect(await states([ana, ben, cai, dan])).toEqual(['booked', 'booked', '1', '2']);
    expect(await read(cai)).toMatchObject({ status: 'requested', waitlist: { place: 1, offer_until: null } });
    await act('cancel', ana);
    expect(await states([cai, dan])).toEqual(['1 until 11:10', '2']);
    expect(code(await ask(id, (await someCustomer(running)).token, { wait: false }))).toEqual([409, 'TIME_NOT_FREE']);
    expect(code(await act('accept', dan))).toEqual([409, 'INVALID_TRANSITION']);
    clock('11:09');
    for (const _ of [1, 2]) expect((await act('accept', cai)).body.booking).toMatchObject({ status: 'booked', waitlist: null });
    expect(await states([ana, ben, cai, dan])).toEqual(['cancelled', 'booked', 'booked', '1']);
    expect(await diary(id)).toMatchObject({ taken: 2, places: 2 });
    expect(await types()).toEqual(['waitlist.joined 1 owner', 'waitlist.joined 2 owner', 'waitlist.offered 1 time']);
    expect((await salon.published()).at(-1)).toMatchObject({ type: 'booking.made', sequence: 3 });
  });

  test('passes a place on that was not accepted in time, and its first loses it', async () => {
    const id = await classOf(2);
    const [ana, , cai, dan] = (await joinInTurn(id, 4)) as [Person, Person, Person, Person];
    await act('cancel', ana);
    clock('11:10');
    expect(code(await act('accept', cai))).toEqual([409, 'INVALID_TRANSITION']);
    await Promise.all([passes(), passes()]);
    expect(await states([cai, dan])).toEqual(['cancelled', '1 until 11:20']);
    clock('11:20');
    await passes();
    expect(await states([cai, dan])).toEqual(['cancelled', 'cancelled']);
    expect((await types()).slice(2)).toEqual([
      'waitlist.offered 1 time',
      'waitlist.left 1 time',
      'waitlist.offered 1 time',
      'waitlist.left 1 time',
    ]);
    expect((await ask(id, (await someCustomer(running)).token, { wait: false })).status).toBe(200);
  });

  test('offers places when there are more, when someone moves to another class, and when the first leaves with one', async () => {
    const [id, other] = [await classOf(2), await classOf(2, { unit_id: salon.chairs[1] })];
    const [ana, , cai, dan, eve] = (await joinInTurn(id, 5)) as [Person, Person, Person, Person, Person];
    await salon.post(`sessions/${id}/change`, { places: 3 }, staff);
    expect(await states([cai, dan, eve])).toEqual(['1 until 11:10', '2', '3']);
    expect(code(await salon.post(`sessions/${id}/change`, { places: 2 }, staff))).toEqual([409, 'TOO_MANY_BOOKINGS']);
    await act('cancel', cai);
    expect(await states([cai, dan, eve])).toEqual(['cancelled', '1 until 11:10', '2']);
    await act('move', ana, { session_id: other });
    expect(await states([dan, eve])).toEqual(['1 until 11:10', '2 until 11:10']);
  });

  test('offers a place to the first whose party fits, and keeps those before in their places', async () => {
    const id = await classOf(2);
    const [ana, ben] = (await joinInTurn(id, 2)) as [Person, Person];
    const [pair, single] = [await join(id, { party_size: 2 }), await join(id)];
    await act('cancel', ana);
    expect(await states([pair, single])).toEqual(['1', '2 until 11:10']);
    await act('cancel', single);
    await act('cancel', ben);
    expect(await states([pair])).toEqual(['1 until 11:10']);
    expect(await diary(id)).toMatchObject({ taken: 2 });
  });

  test('ends when the class begins, also for one with an offer, and with a class that is cancelled', async () => {
    const [id, other] = [await classOf(2), await classOf(2, { unit_id: salon.chairs[1] })];
    const [ana, , cai, dan] = (await joinInTurn(id, 4)) as [Person, Person, Person, Person];
    const [, , fay] = (await joinInTurn(other, 3)) as [Person, Person, Person];
    await salon.post(`sessions/${other}/cancel`, {}, staff);
    expect(await states([fay])).toEqual(['cancelled']);
    expect((await types()).at(-1)).toBe('waitlist.left 1 class');
    clock('12:55');
    await act('cancel', ana);
    clock('13:55');
    await passes();
    expect(await states([cai, dan])).toEqual(['cancelled', '1 until 14:00']);
    clock('14:00');
    expect(code(await act('accept', dan))).toEqual([409, 'INVALID_TRANSITION']);
    await passes();
    expect(await states([cai, dan])).toEqual(['cancelled', 'cancelled']);
  });

  test('says the new time of a class that is moved, and keeps the line', async () => {
    const id = await classOf(2);
    const people = await joinInTurn(id, 4);
    await salon.post(`sessions/${id}/change`, { starts_at: at('15:00') }, staff);
    expect(await states(people)).toEqual(['booked', 'booked', '1', '2']);
    expect((await types()).slice(2)).toEqual(['waitlist.joined 1 class', 'waitlist.joined 2 class']);
  });

  test('is not joined by a party that the class never has room for', async () => {
    const id = await classOf(2);
    await joinInTurn(id, 2);
    const { token } = await someCustomer(running);
    expect(code(await ask(id, token, { party_size: 3 }))).toEqual([409, 'TIME_NOT_FREE']);
  });

  test('is joined once by a customer, and by a guest who holds the credential', async () => {
    const id = await classOf(2);
    const [ana] = (await joinInTurn(id, 2)) as [Person];
    const { id: customer, token } = await someCustomer(running);
    const [first, second] = [await ask(id, token), await ask(id, token)];
    expect(second.body).toEqual(first.body);
    const asked = await ask(id, null, { guest_name: 'Dee', guest_phone: '+447700900123' });
    const guest = { customer: null, id: asked.body.booking.appointment_id };
    await act('cancel', { customer, id: first.body.booking.appointment_id });
    await act('cancel', ana);
    expect(code(await act('accept', { ...ana, id: first.body.booking.appointment_id }))).toEqual([404, 'BOOKING_NOT_FOUND']);
    expect((await act('accept', guest)).body.booking).toMatchObject({ status: 'booked', guest_name: 'Dee' });
  });

  test('is no booking yet: staff cannot confirm, receive, complete or bring back one that waits', async () => {
    const id = await classOf(2);
    const waiting = (await joinInTurn(id, 3))[2] as Person;
    for (const how of ['confirm', 'arrive', 'complete', 'no-show', 'move'])
      expect(code(await salon.post(`bookings/${waiting.id}/${how}`, {}, staff))).toEqual([409, 'INVALID_TRANSITION']);
    await act('cancel', waiting);
    expect(code(await salon.post(`bookings/${waiting.id}/reopen`, {}, staff))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('never gives more places than there are, in the order of the line, when fifty cancel and accept at once', async () => {
    const id = await classOf(10);
    const booked = await joinInTurn(id, 10);
    const waiting = await joinInTurn(id, 15);
    for (let round = 0; round < 2; round += 1)
      await Promise.all([
        ...booked.slice(round * 5, round * 5 + 5).map((person) => act('cancel', person)),
        ...waiting.flatMap((person) => [act('accept', person), act('accept', person), act('accept', person)]),
      ]);
    for (const person of waiting) await act('accept', person);
    const { taken, bookings } = await diary(id);
    const places = bookings.filter(({ status, waitlist }: { status: string; waitlist: object | null }) => status === 'booked' && !waitlist);
    expect([taken, places.length]).toEqual([10, 10]);
    expect(await states(waiting)).toEqual([...Array(10).fill('booked'), '1', '2', '3', '4', '5']);
  });
});
