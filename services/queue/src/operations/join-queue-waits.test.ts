import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const setClock = (at: string) => running.clock.set(at);
const waitOrCode = ({ status, body }: ApiResponse) => (status === 200 ? body.expected_wait_min : body.error.code);
const daily = (opens: string, closes: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens, closes }));
const shift = (starts_at: string, ends_at: string) => ({ shifts: [{ starts_at, ends_at }] }) as never;

describe('near closing', () => {
  test('a customer may join a minute before closing, if the chair works longer, and not at closing or later', async () => {
    const salon = await openSalon(running, 1, { hours: daily('09:00', '17:30') });
    setClock('2026-05-01T16:29:00Z');
    expect(waitOrCode(await salon.join())).toBe(0);
    expect(waitOrCode(await salon.join())).toBe('NO_CAPACITY_TODAY');
    setClock('2026-05-01T16:30:00Z');
    expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
  });

  test('a service must fit between now and the end of the shift', async () => {
    const salon = await openSalon(running, 1);
    setClock('2026-05-01T16:30:00Z');
    expect(waitOrCode(await salon.join())).toBe(0);
    expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
    setClock('2026-05-01T16:30:01Z');
    const another = await openSalon(running, 1);
    expect(waitOrCode(await another.join())).toBe('NO_CAPACITY_TODAY');
    expect(waitOrCode(await another.join({ service_id: another.beard }))).toBe(0);
  });

  test('joining is refused on a day the store does not open', async () => {
    const salon = await openSalon(running, 1, { hours: [{ day: 6, opens: '09:00', closes: '17:00' }] });
    expect(waitOrCode(await salon.join())).toBe('NO_CAPACITY_TODAY');
  });
});

test('before a shift begins the wait lasts until it begins, and breaks are kept free', async () => {
  const salon = await openSalon(
    running,
    1,
    {},
    { units: [{ breaks: [{ starts_at: '2026-05-01T09:20:00Z', ends_at: '2026-05-01T09:50:00Z' }] } as never] },
  );
  setClock('2026-05-01T08:00:30Z');
  expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe(60);
  expect(waitOrCode(await salon.join())).toBe(110);
});

test('a booking that overruns occupies the chair for five more minutes, counted from each request', async () => {
  const salon = await openSalon(running, 1);
  await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', { id: '0190a000-0000-7000-8000-0000000000b1', state: 'started' });
  const { body } = await salon.join();
  expect(body.expected_wait_min).toBe(5);
  setClock('2026-05-01T11:20:00Z');
  expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ expected_wait_min: 5, quoted_wait_min: 5 });
  await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', {
    id: '0190a000-0000-7000-8000-0000000000b1',
    state: 'done',
    version: 2,
  });
  expect((await salon.status({ entry_id: body.entry_id })).body.entry.expected_wait_min).toBe(0);
});

test('a booking that was never ended no longer occupies the chair the next morning', async () => {
  const salon = await openSalon(running, 1);
  await salon.book('2026-04-30T22:00:00Z', '2026-04-30T22:59:00Z', { state: 'started' });
  expect(waitOrCode(await salon.join())).toBe(0);
});

test('a party larger than the free chairs is seated one after another, and the next entry waits for the last of them', async () => {
  const salon = await openSalon(running, 2);
  await salon.book('2026-05-01T11:00:00Z', '2026-05-01T12:00:00Z');
  expect(waitOrCode(await salon.join({ party_size: 3 }))).toBe(0);
  expect(waitOrCode(await salon.join())).toBe(60);
});

test('a customer who prefers a chair that is off today cannot join; one without a preference can', async () => {
  const salon = await openSalon(
    running,
    2,
    {},
    { units: [{}, { shifts: [{ starts_at: '2026-05-02T09:00:00Z', ends_at: '2026-05-02T17:00:00Z' }] }] as never },
  );
  expect(waitOrCode(await salon.join({ preferred_unit_id: salon.chairs[1] }))).toBe('NO_CAPACITY_TODAY');
  expect(waitOrCode(await salon.join())).toBe(0);
});

test('a store that never closes serves past midnight', async () => {
  const salon = await openSalon(running, 1, {}, { units: [shift('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')] });
  setClock('2026-05-01T22:45:00Z');
  expect([waitOrCode(await salon.join()), waitOrCode(await salon.join())]).toEqual([0, 30]);
});
