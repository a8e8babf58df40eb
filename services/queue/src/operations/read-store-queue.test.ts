import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, someCustomer } from '../testing/salon.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T10:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const read = async (storeId: string, headers: Record<string, string> = {}) =>
  await fetch(`${running.service.url}/api/v1/queue/stores/${storeId}`, { headers });
// biome-ignore lint/suspicious/noExplicitAny: tests look into it as an app would
const bodyOf = async (storeId: string): Promise<any> => await (await read(storeId)).json();

test('a guest reads whether walk-ins can join, who waits, and the wait of each service and each chair', async () => {
  const salon = await openSalon(running, 2);
  await salon.join({ preferred_unit_id: salon.chairs[0] });
  expect(await bodyOf(salon.storeId)).toEqual({
    store_id: salon.storeId,
    walk_ins: { open: true, until: null, reason: null },
    waiting: 1,
    kept_percent: null,
    late_by_min: null,
    quotes: 0,
    services: [
      { id: salon.cut, name: 'Cut', minutes: 25, wait_min: 0, wait_range: null, next_start: '2026-05-01T10:00:00.000Z' },
      { id: salon.beard, name: 'Beard', minutes: 15, wait_min: 0, wait_range: null, next_start: '2026-05-01T10:00:00.000Z' },
    ],
    chairs: [
      {
        id: salon.chairs[0],
        name: 'Chair 1',
        service_ids: [salon.cut, salon.beard],
        wait_min: 30,
        wait_range: null,
        next_start: '2026-05-01T10:30:00.000Z',
      },
      {
        id: salon.chairs[1],
        name: 'Chair 2',
        service_ids: [salon.cut, salon.beard],
        wait_min: 0,
        wait_range: null,
        next_start: '2026-05-01T10:00:00.000Z',
      },
    ],
  });
});

test('the wait that is read is the wait that is quoted at the same instant, until no time is left', async () => {
  const salon = await openSalon(running, 2);
  for (let n = 0; n < 40; n += 1) {
    const { services, chairs } = await bodyOf(salon.storeId);
    const [wanted, read_] =
      n % 3 === 2
        ? [{ preferred_unit_id: salon.chairs[n % 2] }, chairs[n % 2]]
        : [{ service_id: [salon.cut, salon.beard][n % 3] }, services[n % 3]];
    const { status, body } = await salon.join(wanted);
    expect([status, body.expected_wait_min ?? body.error.code]).toEqual(
      read_.wait_min === null ? [409, 'NO_CAPACITY_TODAY'] : [200, read_.wait_min],
    );
  }
  expect((await bodyOf(salon.storeId)).services[0]).toMatchObject({ wait_min: null, next_start: null });
});

/** By twenty quotes: two of them half an hour early, two more than an hour late. */
const twenty = [-30, -29, ...Array.from({ length: 16 }, (_, n) => n - 8), 61, 62];

test('the spread of a wait is that of the store’s past quotes: the same before joining, at joining and for the entry afterwards', async () => {
  const salon = await openSalon(running, 1);
  await salon.pastQuotes(twenty);
  await salon.join({}, null);
  const { services, chairs } = (await salon.before()).body;
  expect([services[0], chairs[0]]).toMatchObject(Array(2).fill({ wait_min: 30, wait_range: { from_min: 1, to_min: 37 } }));
  const { token } = await someCustomer(running);
  const joined = (await salon.join({}, token)).body;
  expect(joined).toMatchObject({ expected_wait_min: 30, wait_range: { from_min: 1, to_min: 37 } });
  // A quoted range stays, whatever the store does afterwards.
  await salon.pastQuotes([90, 90, 90, 90]);
  running.clock.advance({ minutes: 10 });
  expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).toMatchObject({
    quoted_wait_min: 30,
    wait_range: { from_min: 1, to_min: 37 },
  });
  expect((await salon.list()).body.entries[1]).toMatchObject({ wait_range: { from_min: 1, to_min: 37 } });
  expect((await salon.join({}, token)).body).toMatchObject({ reused: true, wait_range: null });
});

test('a wait has no spread with nineteen quotes, nor by quotes that are older than four weeks', async () => {
  const salon = await openSalon(running, 1);
  await salon.pastQuotes(twenty.slice(1));
  expect((await salon.before()).body.services[0]).toMatchObject({ wait_min: 0, wait_range: null });
  expect((await salon.join()).body.wait_range).toBe(null);
  await salon.pastQuotes(twenty.slice(0, 1));
  expect((await salon.before()).body.services[0].wait_range).toEqual({ from_min: 1, to_min: 37 });
  running.clock.set('2026-05-27T22:59:59Z');
  expect((await salon.before()).body).toMatchObject({ quotes: 20, late_by_min: 7 });
  running.clock.set('2026-05-27T23:00:00Z');
  expect((await salon.before()).body).toMatchObject({ quotes: 0, kept_percent: null, late_by_min: null });
});

test('while walk-ins cannot join there is no wait, and the reason names no one', async () => {
  const salon = await openSalon(running);
  await salon.switchWalkIns({ store_id: salon.storeId, open: false });
  const { walk_ins, services } = await bodyOf(salon.storeId);
  expect(walk_ins).toEqual({ open: false, until: '2026-05-01T23:00:00.000Z', reason: 'switch' });
  expect(services[0].wait_min).toBe(null);
});

test('an unknown store is STORE_NOT_FOUND, and a queue that has not changed is not sent again', async () => {
  const refused = await read(randomUUID());
  expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('STORE_NOT_FOUND')]);
  const salon = await openSalon(running);
  const etag = (await read(salon.storeId)).headers.get('etag') ?? '';
  expect((await read(salon.storeId, { 'if-none-match': etag })).status).toBe(304);
  await salon.join();
  expect((await read(salon.storeId, { 'if-none-match': etag })).status).toBe(200);
});
