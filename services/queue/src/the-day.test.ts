import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { endOverdue } from './jobs/end-overdue.ts';
import { eraseGuests } from './jobs/erase-guests.ts';
import { type Running, startRunning } from './testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from './testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const come = (at: string) => running.clock.set(at);
const wait = ({ status, body }: ApiResponse) => (status === 200 ? body.expected_wait_min : body.error.code);
const sweep = () => endOverdue(running.service.context);
const statuses = async (salon: Salon) => (await salon.published()).map(({ type }) => type.replace('queue.', ''));
const daily = (opens: string, closes: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens, closes }));
const shift = (starts_at: string, ends_at: string) => ({ shifts: [{ starts_at, ends_at }] }) as never;

describe('near closing', () => {
  test('one may join a minute before, for a chair that works on, and not at closing or after', async () => {
    const salon = await openSalon(running, 1, { hours: daily('09:00', '17:30') });
    come('2026-05-01T16:29:00Z');
    expect(wait(await salon.join())).toBe(0);
    expect(wait(await salon.join())).toBe('NO_CAPACITY_TODAY');
    come('2026-05-01T16:30:00Z');
    expect(wait(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
  });

  test('a shift that ends within the service is too short for it', async () => {
    const salon = await openSalon(running, 1);
    come('2026-05-01T16:30:00Z');
    expect(wait(await salon.join())).toBe(0);
    expect(wait(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
    come('2026-05-01T16:30:01Z');
    const another = await openSalon(running, 1);
    expect(wait(await another.join())).toBe('NO_CAPACITY_TODAY');
    expect(wait(await another.join({ service_id: another.beard }))).toBe(0);
  });

  test('on a day the store does not open there is no place', async () => {
    const salon = await openSalon(running, 1, { hours: [{ day: 6, opens: '09:00', closes: '17:00' }] });
    expect(wait(await salon.join())).toBe('NO_CAPACITY_TODAY');
  });
});

test('before a shift begins one waits for it, and breaks are kept', async () => {
  const salon = await openSalon(
    running,
    1,
    {},
    { units: [{ breaks: [{ starts_at: '2026-05-01T09:20:00Z', ends_at: '2026-05-01T09:50:00Z' }] } as never] },
  );
  come('2026-05-01T08:00:30Z');
  expect(wait(await salon.join({ service_id: salon.beard }))).toBe(60);
  expect(wait(await salon.join())).toBe(110);
});

test('a booking that overruns keeps the chair until five minutes from whenever one asks', async () => {
  const salon = await openSalon(running, 1);
  await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', { id: '0190a000-0000-7000-8000-0000000000b1', state: 'started' });
  const { body } = await salon.join();
  expect(body.expected_wait_min).toBe(5);
  come('2026-05-01T11:20:00Z');
  expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ expected_wait_min: 5, quoted_wait_min: 5 });
  await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', {
    id: '0190a000-0000-7000-8000-0000000000b1',
    state: 'done',
    version: 2,
  });
  expect((await salon.status({ entry_id: body.entry_id })).body.entry.expected_wait_min).toBe(0);
});

test('a booking nobody ever ended is forgotten by the next morning', async () => {
  const salon = await openSalon(running, 1);
  await salon.book('2026-04-30T22:00:00Z', '2026-04-30T22:59:00Z', { state: 'started' });
  expect(wait(await salon.join())).toBe(0);
});

test('a party larger than the free chairs sits down in turns, and who comes behind waits for the last of them', async () => {
  const salon = await openSalon(running, 2);
  await salon.book('2026-05-01T11:00:00Z', '2026-05-01T12:00:00Z');
  expect(wait(await salon.join({ party_size: 3 }))).toBe(0);
  expect(wait(await salon.join())).toBe(60);
});

test('a wish for a chair that is off today has no place; anyone else’s does', async () => {
  const salon = await openSalon(
    running,
    2,
    {},
    { units: [{}, { shifts: [{ starts_at: '2026-05-02T09:00:00Z', ends_at: '2026-05-02T17:00:00Z' }] }] as never },
  );
  expect(wait(await salon.join({ preferred_unit_id: salon.chairs[1] }))).toBe('NO_CAPACITY_TODAY');
  expect(wait(await salon.join())).toBe(0);
});

describe.each([
  ['spring, when two o’clock comes an hour early', '2026-03-28', '2026-03-29T02:00:00Z'],
  ['autumn, when one o’clock comes twice', '2026-10-24', '2026-10-25T03:00:00Z'],
])('on the night in %s', (_, evening, closing) => {
  const close = Date.parse(closing);
  const before = (minutes: number) => new Date(close - minutes * 60_000).toISOString();

  test('the store closes at three by the clock on the wall, and who waits is sent home half an hour later', async () => {
    const open = { hours: daily('20:00', '03:00') };
    const salon = await openSalon(running, 1, open, { units: [shift(`${evening}T18:00:00Z`, before(-240))] });
    come(before(30));
    expect(wait(await salon.join())).toBe(0);
    expect(wait(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
    come(before(1));
    await sweep();
    expect(await statuses(salon)).toEqual(['joined']);
    come(before(-30));
    await sweep();
    expect(await statuses(salon)).toEqual(['joined', 'left']);
  });
});

describe('as time passes', () => {
  test('a call that nobody came for is a no-show, told once though two sweep at once', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join()).body;
    await salon.move('call', entry_id);
    come('2026-05-01T11:04:59Z');
    await sweep();
    expect(await statuses(salon)).toEqual(['joined', 'called']);
    come('2026-05-01T11:05:00Z');
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await statuses(salon)).toEqual(['joined', 'called', 'no_show']);
    await sweep();
    expect((await salon.published()).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('who still waits half an hour after closing has left; who sits in a chair stays', async () => {
    const salon = await openSalon(running, 2, { hours: daily('09:00', '17:00') });
    const [waiting, seated] = [(await salon.join()).body.entry_id, (await salon.join()).body.entry_id];
    await salon.move('assign', seated);
    come('2026-05-01T16:29:59Z');
    await sweep();
    expect((await salon.status({ entry_id: waiting })).body.entry.status).toBe('waiting');
    come('2026-05-01T16:30:00Z');
    await sweep();
    const { entries } = (await salon.list()).body;
    expect(entries.map((entry: { status: string }) => entry.status)).toEqual(['assigned']);
    expect((await salon.status({ entry_id: waiting })).body.entry.status).toBe('left');
    expect((await salon.published()).map(({ type, sequence }) => [type, sequence]).at(-1)).toEqual(['queue.left', 2]);
  });

  test('a chair nobody was seen to leave is free half a day after its time, and its customer may join again', async () => {
    const salon = await openSalon(running, 1, {}, { units: [shift('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')] });
    const { id } = await someCustomer(running);
    const signedIn = () => running.issuer.token({ typ: 'customer', sub: id });
    const { entry_id } = (await salon.join({}, await signedIn())).body;
    await salon.move('assign', entry_id);
    come('2026-05-01T23:29:59Z');
    await sweep();
    expect((await salon.join({}, await signedIn())).body).toMatchObject({ entry_id, reused: true, status: 'assigned' });
    come('2026-05-01T23:30:00Z');
    expect((await salon.status({ entry_id }, await signedIn())).body.entry).toMatchObject({ entry_id, status: 'completed' });
    await sweep();
    expect(await statuses(salon)).toEqual(['joined', 'assigned', 'completed']);
    expect((await salon.join({}, await signedIn())).body).toMatchObject({ reused: false, status: 'waiting' });
  });

  test('a guest’s name and number are erased a day after they went, and nobody else’s', async () => {
    const salon = await openSalon(running, 2);
    const guest = { guest_name: 'Deirdre', guest_phone: '+447700900123' };
    const { entry_id } = (await salon.join(guest)).body;
    await salon.leave(entry_id);
    come('2026-05-01T12:00:00Z');
    const later = (await salon.join(guest)).body.entry_id;
    await salon.leave(later);
    const named = () =>
      running.service.database.anyFirst(sql.type(z.object({ entry_id: z.string() }))`
        select entry_id from entry
        where store_id = ${salon.storeId} and (guest_name is not null or guest_phone is not null) order by joined_at`);
    come('2026-05-02T10:59:59Z');
    await eraseGuests(running.service.context);
    expect(await named()).toEqual([entry_id, later]);
    come('2026-05-02T11:00:00Z');
    await eraseGuests(running.service.context);
    expect(await named()).toEqual([later]);
  });

  test('longer hours, told meanwhile, keep who waits', async () => {
    const salon = await openSalon(running, 1, { hours: daily('09:00', '17:00') });
    await salon.join();
    await salon.setStore({ hours: daily('09:00', '20:00') });
    come('2026-05-01T16:45:00Z');
    await sweep();
    expect(await statuses(salon)).toEqual(['joined']);
  });

  test('a store that never closes serves over midnight', async () => {
    const salon = await openSalon(running, 1, {}, { units: [shift('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')] });
    come('2026-05-01T22:45:00Z');
    expect([wait(await salon.join()), wait(await salon.join())]).toEqual([0, 30]);
  });

  test('a store that never closes sends nobody home within the day', async () => {
    const salon = await openSalon(running, 1);
    await salon.join();
    come('2026-05-01T23:29:59Z');
    await sweep();
    expect(await statuses(salon)).toEqual(['joined']);
    come('2026-05-01T23:30:00Z');
    await sweep();
    expect(await statuses(salon)).toEqual(['joined', 'left']);
  });
});
