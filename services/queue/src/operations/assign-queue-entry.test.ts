import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const entryId = async (more?: object) => (await salon.join(more)).body.entry_id as string;
const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const noChair = [409, 'NO_CAPACITY_TODAY'];
const Seat = z.object({ chair: z.number(), from: z.string(), to: z.string() });
/** The seats in use, in order of time: the chair's number, from when and until when. */
const seats = () =>
  running.service.database.any(sql.type(Seat)`
    select array_position(${sql.array(salon.chairs, 'uuid')}, unit_id) as chair,
      to_char(starts_at at time zone 'utc', 'HH24:MI') as from, to_char(ends_at at time zone 'utc', 'HH24:MI') as to
    from seat where store_id = ${salon.storeId} and freed_at is null order by starts_at, chair`);

test('assign books the first chair that is free for the service and its buffer, and returns the appointment', async () => {
  const id = await entryId();
  const { entry } = (await salon.move('assign', id)).body;
  expect(entry).toMatchObject({ status: 'assigned', appointment_id: expect.stringMatching(/^[0-9a-f-]{36}$/), queue_position: null });
  expect(await seats()).toEqual([{ chair: 1, from: '11:00', to: '11:30' }]);
  expect((await salon.move('assign', id)).body.entry.appointment_id).toBe(entry.appointment_id);
  expect(await seats()).toHaveLength(1);
});

describe('no chair is given twice', () => {
  test('when eight entries are assigned at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => entryId()));
    const responses = await Promise.all(ids.map((id) => salon.move('assign', id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409, 409, 409]);
    expect((await seats()).map(({ chair }) => chair)).toEqual([1, 2]);
    expect((await salon.published()).filter(({ type }) => type === 'queue.assigned')).toHaveLength(2);
  });

  test('when two requests name the same chair at the same time', async () => {
    const ids = [await entryId(), await entryId()];
    const responses = await Promise.all(ids.map((id) => salon.move('assign', id, { unit_id: salon.chairs[1] })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await seats()).toEqual([{ chair: 2, from: '11:00', to: '11:30' }]);
  });

  test('when its next booking begins before the service would end, or its customer overruns', async () => {
    await salon.book('2026-05-01T11:29:00Z', '2026-05-01T12:00:00Z');
    await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:30:00Z', { unit_id: salon.chairs[1] as string, state: 'started' });
    const id = await entryId();
    expect(code(await salon.move('assign', id))).toEqual(noChair);
    expect((await salon.list()).body.entries).toMatchObject([{ status: 'waiting' }]);
    expect(await seats()).toEqual([]);
    expect((await salon.move('assign', await entryId({ service_id: salon.beard }))).status).toBe(200);
  });
});

test('a chair is free again when its customer is served, does not come or leaves, and not before', async () => {
  const one = await openSalon(running, 1);
  for (const [move, from] of [
    ['complete', 'assign'],
    ['no-show', 'assign'],
  ] as const) {
    const [first, second] = [(await one.join()).body.entry_id, (await one.join()).body.entry_id];
    await one.move(from, first);
    // The booked time is over, but the customer is still in the chair.
    running.clock.advance({ minutes: 40 });
    expect(code(await one.move('assign', second))).toEqual(noChair);
    expect((await one.status({ entry_id: second })).body.entry.expected_wait_min).toBe(5);
    await one.move(move, first);
    expect((await one.move('assign', second)).status).toBe(200);
    await one.leave(second);
  }
  expect((await one.move('assign', (await one.join()).body.entry_id)).status).toBe(200);
});

test('the staff’s choice of chair overrides the preferred one; the chair must be the store’s and free', async () => {
  const first = await entryId({ preferred_unit_id: salon.chairs[0] });
  expect(code(await salon.move('assign', first, { unit_id: randomUUID() }))).toEqual([422, 'UNIT_NOT_FOUND']);
  expect((await salon.move('assign', first, { unit_id: salon.chairs[1]?.toUpperCase() })).status).toBe(200);
  expect(await seats()).toEqual([{ chair: 2, from: '11:00', to: '11:30' }]);
  const second = await entryId({ preferred_unit_id: salon.chairs[1] });
  expect(code(await salon.move('assign', second))).toEqual(noChair);
});

test('each member of a party gets a seat, one after another when there are too few chairs, and all seats are freed together', async () => {
  const party = await entryId({ party_size: 3 });
  const { body } = await salon.move('assign', party, { unit_id: salon.chairs[1] });
  expect(body.entry.status).toBe('assigned');
  expect(await seats()).toEqual([
    { chair: 1, from: '11:00', to: '11:30' },
    { chair: 2, from: '11:00', to: '11:30' },
    { chair: 1, from: '11:30', to: '12:00' },
  ]);
  const behind = await entryId();
  expect((await salon.status({ entry_id: behind })).body.entry).toMatchObject({
    expected_wait_min: 30,
    suggested_unit_id: salon.chairs[1],
  });
  await salon.move('complete', party);
  expect(await seats()).toEqual([]);
});

test('a party that the day has no room for is not seated in part', async () => {
  const party = await entryId({ party_size: 8 });
  running.clock.set('2026-05-01T16:00:00Z');
  expect(code(await salon.move('assign', party))).toEqual(noChair);
  expect(await seats()).toEqual([]);
});

test('a repeat with the same Idempotency-Key returns the same response', async () => {
  const id = await entryId();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await salon.owner()}`, 'idempotency-key': randomUUID() };
  const assign = async () => {
    const init = { method: 'POST', headers, body: JSON.stringify({ store_id: salon.storeId }) };
    const response = await fetch(`${running.service.url}/api/v1/queue/entries/${id}/assign`, init);
    return { replayed: response.headers.get('idempotent-replayed'), body: await response.text() };
  };
  const [first, second] = [await assign(), await assign()];
  expect(second).toEqual({ replayed: 'true', body: first.body });
});
