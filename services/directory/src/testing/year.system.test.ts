import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renewTemplates } from '../offer/jobs.ts';
import { newestSnapshot } from './published.ts';
import { type Running, startRunning } from './running.ts';
import { openShop, type Shop } from './shop.ts';

const start = '2026-01-01T11:00:00Z';
const dayMs = 86_400_000;
const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe'];
/** Local days on which each shop is closed: Easter, and over the end of the year. */
const holidays = [
  ['2026-04-03', '2026-04-07'],
  ['2026-12-24', '2027-01-02'],
] as const;
const openDays = [1, 2, 3, 4, 5, 6];

let running: Running;
beforeAll(async () => {
  running = await startRunning({ at: start });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const instantIn = (zone: string, day: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant().toString();

async function openUntouched(zone: string): Promise<Shop> {
  const closures = holidays.map(([from, until]) => ({ starts_at: instantIn(zone, from), ends_at: instantIn(zone, until) }));
  const shop = await openShop(running, { time_zone: zone, closures });
  const week = { days: openDays, from: '08:00', to: '10:00' };
  const chair = { id: '0190a000-0000-7000-8000-0000000000c1', name: 'Chair', service_ids: [], weekly_shifts: [week] };
  for (const [path, body] of [
    ['/slots', { template: [{ ...week, every_minutes: 60, capacity: 4 }] }],
    ['/floor', { units: [chair] }],
  ] as const)
    expect((await shop.patch(path, body)).status).toBe(200);
  return shop;
}

function mornings(zone: string, now: Date): string[] {
  const today = localTime(zone, now.toISOString()).slice(0, 10);
  return Array.from({ length: 14 }, (_, n) => new Date(Date.parse(today) + n * dayMs))
    .filter((day) => openDays.includes(day.getUTCDay()))
    .map((day) => day.toISOString().slice(0, 10))
    .filter((day) => !holidays.some(([from, until]) => from <= day && day < until));
}

/** Kept by zone: making one takes much longer than using it. */
const formats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })]),
);
const localTime = (zone: string, instant: string) => formats.get(zone)?.format(new Date(instant)) ?? '';

async function faultsOf({ storeId }: Shop, zone: string): Promise<string[]> {
  const [slots, floor] = [await newestSnapshot(running, 'slots', storeId), await newestSnapshot(running, 'floor', storeId)];
  const expected = mornings(zone, running.clock.now()).flatMap((day) => [`${day} 08:00`, `${day} 09:00`]);
  const shifts = expected.filter((time) => time.endsWith('08:00'));
  const now = running.clock.now().toISOString();
  // Times of today may be over.
  const ahead = (times: string[], spans: { starts_at: string; ends_at: string }[]) => [
    ...times.filter((time) => !spans.some(({ starts_at }) => localTime(zone, starts_at) === time) && time > localTime(zone, now)),
    ...spans.map(({ starts_at }) => localTime(zone, starts_at)).filter((time) => !times.includes(time)),
  ];
  const faults = [...ahead(expected, slots.data.slots), ...ahead(shifts, floor.data.units[0].shifts)];
  return faults.map((time) => `${zone} at ${now}: ${time}`);
}

test('a shop that no one touches for a year opens on every morning that it should, in three zones, and is published once a day', async () => {
  const shops = await Promise.all(zones.map(async (zone) => ({ zone, shop: await openUntouched(zone) })));
  const faults: string[] = [];
  for (let day = 0; day < 365; day += 1) {
    running.clock.set(new Date(Date.parse(start) + day * dayMs).toISOString());
    await renewTemplates(running.service.context);
    for (const { zone, shop } of shops) faults.push(...(await faultsOf(shop, zone)));
  }
  expect(faults).toEqual([]);
  for (const { shop } of shops) {
    expect((await newestSnapshot(running, 'slots', shop.storeId)).sequence).toBe(365);
    expect((await newestSnapshot(running, 'floor', shop.storeId)).sequence).toBe(365);
  }
});
