import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { makeWeeklyClasses } from '../entry-points.ts';
import { seeded } from '../rules/wait/testing/test-floor.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon, someCustomer } from '../testing/salon.ts';

const start = Temporal.PlainDate.from('2026-01-01');
let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

/** Noon of the day at the first store, in UTC. */
const setDay = (n: number) => running.clock.set(`${start.add({ days: n })}T11:00:00Z`);

async function openYear(time_zone: string, days: readonly number[]): Promise<Salon> {
  const shifts = Array.from({ length: 380 }, (_, n) => start.add({ days: n }))
    .filter(({ dayOfWeek }) => days.includes(dayOfWeek))
    .map((day) => ({
      starts_at: day.toZonedDateTime(time_zone).toInstant().toString(),
      ends_at: day.add({ days: 1 }).toZonedDateTime(time_zone).add({ hours: 1 }).toInstant().toString(),
    }));
  return await openSalon(running, 1, { time_zone, bookings_accepted: true }, { units: [{ shifts }] });
}

async function make(store: Salon, days: readonly number[], from: string, more: object = {}): Promise<string> {
  const body = { service_id: store.cut, unit_id: store.chairs[0], days, from, minutes: 25, places: 4, ...more };
  const response = await store.post('weekly-classes', body, await store.owner());
  expect(response).toMatchObject({ status: 200 });
  return response.body.weekly_class.weekly_class_id;
}

const Made = z.object({ day: z.string(), local: z.string(), instant: z.string() });
const classesOf = (id: string, zone: string) =>
  running.service.database.any(sql.type(Made)`
    select d.day::text as day, to_char(s.starts_at at time zone ${zone}, 'YYYY-MM-DD HH24:MI') as local,
      to_char(s.starts_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') as instant
    from weekly_class_day d join session s on s.id = d.session_id where d.weekly_class_id = ${id} and s.state = 'open' order by s.starts_at`);

test.each([
  ['Europe/London', [7], '01:30', { '2026-03-29': '2026-03-29 02:30' }, { '2026-10-25': '2026-10-25 00:30' }],
  ['Europe/London', [1, 4], '18:00', {}, {}],
  ['America/Santiago', [7], '00:30', { '2026-09-06': '2026-09-06 01:30' }, {}],
  ['America/Santiago', [6], '23:30', {}, { '2026-04-04': '2026-04-05 02:30' }],
  ['Australia/Lord_Howe', [7], '02:15', { '2026-10-04': '2026-10-04 02:45' }, {}],
])(
  'a year of classes in %s, on days %j at %s, has each once at its local time, over every change of the clocks',
  async (zone, days, from, moved, first) => {
    setDay(0);
    const store = await openYear(zone, days);
    const id = await make(store, days, from);
    for (let n = 1; n < 352; n += 1) {
      setDay(n);
      await makeWeeklyClasses(running.service.context);
    }
    const made = await classesOf(id, zone);
    const expected = Array.from({ length: 365 }, (_, n) => start.add({ days: n })).filter(({ dayOfWeek }) => days.includes(dayOfWeek));
    const localOf = (day: string) => (moved as Record<string, string>)[day] ?? `${day} ${from}`;
    expect(made.map(({ local }) => local)).toEqual(expected.map((day) => localOf(day.toString())));
    expect(Object.fromEntries(made.filter(({ day }) => day in first).map(({ day, instant }) => [day, instant]))).toEqual(first);
    await store.post(`weekly-classes/${id}/end`, {}, await store.owner());
  },
);

interface Booked {
  readonly id: string;
  readonly token: () => Promise<string>;
  readonly starts_at: string;
}

const Fault = z.object({ id: z.string() });
/** Classes whose places are not those of their bookings, and bookings that are live in a class that is not. */
const faultsOf = (storeId: string) =>
  running.service.database.any(sql.type(Fault)`
    select s.id from session s where s.store_id = ${storeId} and (s.taken > s.places or s.taken <> (
      select coalesce(sum(b.party_size), 0) from session_booking b
      where b.session_id = s.id and (b.status in ('requested', 'booked', 'arrived') or b.offer_until is not null)))
    union all
    select b.id from session_booking b join session s on s.id = b.session_id
    where b.store_id = ${storeId} and b.status = 'booked' and s.state <> 'open'`);

test.each([1, 2, 3])(
  'no booking is lost or moved, and no class is over its places, however its week is changed (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    setDay(60);
    const store = await openYear('Europe/London', [1, 2, 3, 4, 5]);
    const id = await make(store, [1, 3, 5], '18:00');
    const times = ['18:00', '19:15', '17:30'];
    const booked: Booked[] = [];
    const oneOf = <T>(all: readonly T[]): T | undefined => all[random(Math.max(all.length, 1))];
    const steps = [
      async () => {
        const { weekly_classes } = (await store.get(`stores/${store.storeId}/weekly-classes`, await store.staff())).body;
        const session = oneOf<{ session_id: string; starts_at: string }>(weekly_classes[0].ahead);
        const { id: sub } = await someCustomer(running);
        const token = () => running.issuer.token({ typ: 'customer', sub });
        const { status, body } = await store.post(
          'bookings',
          { session_id: session?.session_id, party_size: 1 + random(3) },
          await token(),
        );
        if (status === 200) booked.push({ id: body.booking.appointment_id, token, starts_at: body.booking.starts_at });
      },
      async () => {
        const one = oneOf(booked);
        if (one === undefined) return;
        const { status } = await store.post(`bookings/${one.id}/cancel`, {}, await one.token());
        if (status === 200) booked.splice(booked.indexOf(one), 1);
      },
      async () => {
        const days = [1, 2, 3, 4, 5].filter(() => random(2) === 0);
        const wanted = { days: days.length > 0 ? days : [1], from: times[random(3)], places: 2 + random(4) };
        expect((await store.post(`weekly-classes/${id}/change`, wanted, await store.owner())).status).toBe(200);
      },
    ];
    for (let n = 61; n < 100; n += 1) {
      setDay(n);
      const chosen = [0, 0, 0, 1, 2].filter(() => random(2) === 0);
      await Promise.all([...chosen.map((step) => steps[step]?.()), makeWeeklyClasses(running.service.context)]);
      expect(await faultsOf(store.storeId)).toEqual([]);
    }
    expect(booked.length).toBeGreaterThan(10);
    for (const { id: appointment, token, starts_at } of booked)
      expect((await store.get(`bookings/${appointment}?store_id=${store.storeId}`, await token())).body.booking).toMatchObject({
        status: 'booked',
        starts_at,
      });
    expect((await classesOf(id, 'Europe/London')).map(({ day }) => day)).toHaveLength(
      new Set((await classesOf(id, 'Europe/London')).map(({ day }) => day)).size,
    );
    await store.post(`weekly-classes/${id}/end`, {}, await store.owner());
  },
);
