// covers: makeWeeklyClass
// covers: listWeeklyClasses
// covers: changeWeeklyClass
// covers: endWeeklyClass

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { makeWeeklyClasses } from '../entry-points.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, cy, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let studio: Salon;
/** Tokens end within the hour, and tests move the clock by days. */
const staff = () => studio.staff();
const manager = () =>
  running.issuer.token({ typ: 'merchant', sub: cy.id, name: cy.name, stores: [{ id: studio.storeId, role: 'manager' }] });

beforeAll(async () => {
  running = await startRunning();
});
/** Friday, 1 May 2026; the chairs work from nine to nine in London, on every day. */
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  const shifts = Array.from({ length: 40 }, (_, n) => {
    const day = Temporal.PlainDate.from('2026-05-01').add({ days: n });
    return { starts_at: `${day}T08:00:00Z`, ends_at: `${day}T20:00:00Z` };
  });
  studio = await openSalon(running, 2, { bookings_accepted: true }, { units: [{ shifts }, { shifts }] });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const mondays = () => ({ service_id: studio.cut, unit_id: studio.chairs[0], days: [1], from: '18:00', minutes: 60, places: 3 });
const make = async (more: object = {}, token?: string, headers = {}) =>
  studio.post('weekly-classes', { ...mondays(), ...more }, token ?? (await manager()), headers);
const change = async (id: string, more: object, token?: string) =>
  studio.post(`weekly-classes/${id}/change`, more, token ?? (await manager()));
const end = async (id: string) => studio.post(`weekly-classes/${id}/end`, {}, await manager());
const list = async () => (await studio.get(`stores/${studio.storeId}/weekly-classes`, await staff())).body.weekly_classes;
const runJob = () => makeWeeklyClasses(running.service.context);
const join = async (session_id: string, more: object = {}) =>
  studio.post('bookings', { session_id, ...more }, (await someCustomer(running)).token);

type Days = {
  readonly day: string;
  readonly starts_at: string;
  readonly state: string;
  readonly session_id: string;
  readonly taken: number;
}[];
async function made(more: object = {}): Promise<{ readonly id: string; readonly days: Days }> {
  const { status, body } = await make(more);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: body.weekly_class.weekly_class_id, days: body.weekly_class.ahead };
}
const ahead = async (id: string): Promise<Days> =>
  (await list()).find((one: { weekly_class_id: string }) => one.weekly_class_id === id)?.ahead;
const said = (days: Days) => days.map(({ starts_at, state }) => `${starts_at.slice(5, 16)} ${state}`);
const openClasses = async (from: string, to: string) => {
  const classes: string[] = [];
  for (let day = Temporal.PlainDate.from(from); Temporal.PlainDate.compare(day, to) < 0; day = day.add({ days: 1 })) {
    const { sessions } = (await studio.get(`stores/${studio.storeId}/bookings?day=${day}`, await staff())).body;
    for (const { starts_at, state } of sessions) if (state === 'open') classes.push(starts_at.slice(5, 16));
  }
  return classes;
};

describe('a weekly class', () => {
  test('has its classes two weeks ahead, which customers book, and gets each further one once, however many replicas make it', async () => {
    const { id, days } = await made({ unit_id: null });
    expect(said(days)).toEqual(['05-04T17:00 open', '05-11T17:00 open']);
    expect((await join(days[0]?.session_id ?? '')).status).toBe(200);
    running.clock.set('2026-05-05T11:00:00Z');
    await Promise.all([runJob(), runJob(), runJob()]);
    await runJob();
    expect(said(await ahead(id))).toEqual(['05-11T17:00 open', '05-18T17:00 open']);
    expect(await openClasses('2026-05-04', '2026-05-20')).toEqual(['05-04T17:00', '05-11T17:00', '05-18T17:00']);
    const made18 = (await studio.published()).filter(({ data }) => data.starts_at.startsWith('2026-05-18'));
    expect(made18).toMatchObject([{ type: 'session.changed', data: { by_id: null, places: 3 } }]);
  });

  test('begins and ends on its days, and is not made for a time that is past', async () => {
    const dates = { days: [5, 6], from: '10:00', from_date: '2026-05-01', until_date: '2026-05-09' };
    expect(said((await made(dates)).days)).toEqual(['05-02T09:00 open', '05-08T09:00 open', '05-09T09:00 open']);
    expect(said((await made({ from_date: '2026-05-05' })).days)).toEqual(['05-11T17:00 open']);
  });

  test('has no class on a closed day, nor where its chair is taken or has no shift; it gets one once that has changed', async () => {
    const closed = { starts_at: '2026-05-04T00:00:00Z', ends_at: '2026-05-05T00:00:00Z' };
    await studio.setStore({ closures: [closed] });
    const { appointment_id } = (
      await studio.post('bookings', { service_id: studio.cut, unit_id: studio.chairs[0], starts_at: '2026-05-11T17:15:00Z' }, await staff())
    ).body.booking;
    const { id, days } = await made();
    expect(said(days)).toEqual(['05-04T17:00 closed', '05-11T17:00 not_free']);
    const night = await made({ from: '22:00' });
    expect(said(night.days)).toEqual(['05-04T21:00 closed', '05-11T21:00 not_free']);
    await studio.post(`bookings/${appointment_id}/cancel`, {}, await staff());
    await studio.setStore({ closures: [] });
    await runJob();
    expect(said(await ahead(id))).toEqual(['05-04T17:00 open', '05-11T17:00 open']);
    expect(await openClasses('2026-05-04', '2026-05-12')).toEqual(['05-04T17:00', '05-11T17:00']);
  });

  test('takes any chair that is free where it names none', async () => {
    await made();
    const { days } = await made({ unit_id: null });
    expect(said(days)).toEqual(['05-04T17:00 open', '05-11T17:00 open']);
    expect(said((await made({ unit_id: null })).days)).toEqual(['05-04T17:00 not_free', '05-11T17:00 not_free']);
  });

  test('leaves a class alone that staff have moved or cancelled: it is neither made again nor changed with its week', async () => {
    const { id, days } = await made({ days: [1, 2] });
    const [moved, cancelled] = days.map(({ session_id }) => session_id);
    await studio.post(`sessions/${moved}/change`, { starts_at: '2026-05-04T15:00:00Z' }, await staff());
    await studio.post(`sessions/${cancelled}/cancel`, {}, await staff());
    await runJob();
    const kept = ['05-04T15:00 open', '05-05T17:00 cancelled'];
    expect(said(await ahead(id))).toEqual([...kept, '05-11T17:00 open', '05-12T17:00 open']);
    const { body } = await change(id, { from: '19:00' });
    expect(said(body.weekly_class.ahead)).toEqual([...kept, '05-11T18:00 open', '05-12T18:00 open']);
    expect(body.kept).toMatchObject([{ session_id: moved, taken: 0 }]);
    expect((await end(id)).body.kept).toMatchObject([{ session_id: moved }]);
    expect(await openClasses('2026-05-04', '2026-05-13')).toEqual(['05-04T15:00']);
  });
});

describe('a change of a weekly class', () => {
  test('reaches classes that no one has booked, and names those that stay as they were', async () => {
    const { id, days } = await made({ days: [1, 2, 3] });
    const [booked, full, free] = days.map(({ session_id }) => session_id);
    await join(booked ?? '', { party_size: 2 });
    await join(full ?? '', { party_size: 3 });
    await join(full ?? '', { wait: true });
    const { body } = await change(id, { from: '19:00', places: 5, minutes: 45 });
    expect(body.kept).toMatchObject([
      { session_id: booked, starts_at: '2026-05-04T17:00:00.000000Z', taken: 2 },
      { session_id: full, taken: 3 },
    ]);
    expect(said(body.weekly_class.ahead).slice(0, 4)).toEqual([
      '05-04T17:00 open',
      '05-05T17:00 open',
      '05-06T18:00 open',
      '05-11T18:00 open',
    ]);
    expect(body.weekly_class.ahead[2].session_id).toBe(free);
    const { sessions } = (await studio.get(`stores/${studio.storeId}/bookings?day=2026-05-06`, await staff())).body;
    expect(sessions).toMatchObject([{ places: 5, ends_at: '2026-05-06T18:45:00.000000Z' }]);
    expect((await change(id, { places: 5 })).body.kept).toHaveLength(2);
    expect(await openClasses('2026-05-04', '2026-05-06')).toEqual(['05-04T17:00', '05-05T17:00']);
  });

  test('to other days cancels the free classes of the old days, and back again makes them again', async () => {
    const { id } = await made();
    const tuesdays = (await change(id, { days: [2] })).body;
    expect([said(tuesdays.weekly_class.ahead), tuesdays.kept]).toEqual([['05-05T17:00 open', '05-12T17:00 open'], []]);
    expect(said((await change(id, { days: [1] })).body.weekly_class.ahead)).toEqual(['05-04T17:00 open', '05-11T17:00 open']);
    expect(await openClasses('2026-05-04', '2026-05-13')).toEqual(['05-04T17:00', '05-11T17:00']);
  });

  test('to a time at which its chair is taken leaves that day without a class, and says so', async () => {
    await studio.post('bookings', { service_id: studio.cut, unit_id: studio.chairs[0], starts_at: '2026-05-04T18:30:00Z' }, await staff());
    const { id } = await made();
    const { body } = await change(id, { from: '19:00', until_date: '2026-05-11' });
    expect(said(body.weekly_class.ahead)).toEqual(['05-04T18:00 not_free', '05-11T18:00 open']);
    expect(body.weekly_class.until_date).toBe('2026-05-11');
    expect((await change(id, { until_date: null })).body.weekly_class.until_date).toBeNull();
  });
});

describe('the end of a weekly class', () => {
  test('keeps the classes that are booked, cancels the others, and makes no more; a repeat changes nothing', async () => {
    const { id, days } = await made();
    await join(days[1]?.session_id ?? '');
    for (const _ of [1, 2]) {
      const { body } = await end(id);
      expect(body.kept).toMatchObject([{ session_id: days[1]?.session_id, taken: 1 }]);
      expect([body.weekly_class.ended, said(body.weekly_class.ahead)]).toEqual([true, ['05-11T17:00 open']]);
    }
    expect(code(await change(id, { places: 4 }))).toEqual([409, 'INVALID_TRANSITION']);
    running.clock.set('2026-05-12T11:00:00Z');
    await runJob();
    expect([await list(), await openClasses('2026-05-02', '2026-05-20')]).toEqual([[], ['05-11T17:00']]);
  });
});

test('the log of the store says who made, changed and ended a weekly class', async () => {
  const { id } = await made({ until_date: '2026-05-04' });
  await change(id, { places: 4 });
  await end(id);
  const rows: { title: string; by: unknown }[] = (await studio.log()).body.entries;
  const weekly = rows.filter(({ title }) => title.startsWith('A weekly class'));
  expect(weekly.map(({ title, by }) => [title, by])).toEqual([
    ['A weekly class was ended', cy],
    ['A weekly class was changed', cy],
    ['A weekly class was made', cy],
  ]);
});

test('a weekly class is made once by a repeat, and by managers of its own store alone', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const [first, second] = [await make({}, undefined, key), await make({}, undefined, key)];
  expect(second.body).toEqual(first.body);
  expect(await list()).toHaveLength(1);
  const { weekly_class_id: id } = first.body.weekly_class;
  const other = await openSalon(running, 1);
  const strange = await other.owner();
  expect(code(await make({}, await staff()))).toEqual([403, 'INSUFFICIENT_ROLE']);
  expect(code(await change(id, { store_id: other.storeId }, strange))).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(code(await studio.post(`weekly-classes/${id}/end`, { store_id: other.storeId }, strange))).toEqual([404, 'SESSION_NOT_FOUND']);
  const unknown = randomUUID();
  const ofUnknown = await running.issuer.token({ typ: 'merchant', stores: [{ id: unknown, role: 'owner' }] });
  expect(code(await make({ store_id: unknown }, ofUnknown))).toEqual([404, 'STORE_NOT_FOUND']);
  expect(code(await studio.get(`stores/${unknown}/weekly-classes`, ofUnknown))).toEqual([404, 'STORE_NOT_FOUND']);
});

test.each([
  [{ service_id: '0190a000-0000-7000-8000-00000000dead' }, 422, 'SERVICE_NOT_FOUND', ''],
  [{ unit_id: '0190a000-0000-7000-8000-00000000dead' }, 422, 'UNIT_NOT_FOUND', ''],
  [{ days: [] }, 400, 'VALIDATION_FAILED', 'days'],
  [{ days: [1, 1] }, 400, 'VALIDATION_FAILED', 'must name each day once'],
  [{ from: '25:00' }, 400, 'VALIDATION_FAILED', 'must be a time of day'],
  [{ until_date: '2026-04-30' }, 400, 'VALIDATION_FAILED', 'body.until_date: must not be before its first day, 2026-05-01'],
])('a weekly class with %j is refused with %i %s %s', async (more, status, problem, message) => {
  const response = await make(more);
  expect(code(response)).toEqual([status, problem]);
  expect(response.body.error.message).toContain(message);
});

test('a store has at most a hundred weekly classes', async () => {
  const later = { from_date: '2027-01-01' };
  await running.service.database.query(sql.type(z.object({}))`
    insert into weekly_class (id, store_id, service_id, days, begins, minutes, places, from_date, made_at)
    select gen_random_uuid(), ${studio.storeId}, ${studio.cut}, '[1]', '18:00', 60, 3, '2027-01-01', now() from generate_series(1, 99)`);
  expect((await make(later)).status).toBe(200);
  expect((await make(later)).body.error.message).toContain('end one first');
});
