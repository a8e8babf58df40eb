// covers: listQueueEntries, callQueueEntry, recallQueueEntry, assignQueueEntry, completeQueueEntry, noShowQueueEntry, convertQueueEntry
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, customerSnapshot, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

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

const moves = ['call', 'recall', 'assign', 'complete', 'no-show', 'convert'];

const paths: Readonly<Record<string, readonly string[]>> = {
  waiting: [],
  called: ['call'],
  assigned: ['assign'],
  completed: ['assign', 'complete'],
  no_show: ['call', 'no-show'],
  converted_to_appointment: ['convert'],
};

const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waiting: { call: 'called', recall: 'waiting', assign: 'assigned', convert: 'converted_to_appointment' },
  called: { call: 'called', recall: 'waiting', assign: 'assigned', 'no-show': 'no_show', convert: 'converted_to_appointment' },
  assigned: { assign: 'assigned', complete: 'completed', 'no-show': 'no_show' },
  completed: { complete: 'completed' },
  no_show: { 'no-show': 'no_show' },
  converted_to_appointment: { convert: 'converted_to_appointment' },
};

describe.each(Object.keys(paths))('an entry that is %s', (status) => {
  test.each(moves)('changes on the move %s as the state table says, and publishes once', async (move) => {
    const id = await entryId();
    for (const step of paths[status] ?? []) expect((await salon.move(step, id)).status).toBe(200);
    const countBefore = (await salon.published()).length;
    const response = await salon.move(move, id);
    const to = allowed[status]?.[move];
    expect(to ? [response.status, response.body.entry?.status] : code(response)).toEqual(to ? [200, to] : [409, 'INVALID_TRANSITION']);
    const published = await salon.published();
    expect(published).toHaveLength(countBefore + (to && to !== status ? 1 : 0));
    expect(published.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
  });
});

test('each move publishes its event with the entry, the end of a call’s hold, and the position after a recall', async () => {
  const [id] = [await entryId(), await entryId()];
  await salon.move('call', id);
  running.clock.advance({ minutes: 1 });
  await salon.move('recall', id);
  await salon.move('assign', id);
  await salon.move('complete', id);
  const events = (await salon.published()).filter(({ aggregate_id }, _, [first]) => aggregate_id === first?.aggregate_id);
  expect(events.map(({ type, data }) => [type, data.position, data.hold_until])).toEqual([
    ['queue.joined', 1, null],
    ['queue.called', null, '2026-05-01T11:05:00.000000Z'],
    ['queue.recalled', 1, null],
    ['queue.assigned', null, null],
    ['queue.completed', null, null],
  ]);
});

describe('a call', () => {
  test('holds for the store’s hold time, and a second call does not extend it', async () => {
    await salon.setStore({ called_hold_minutes: 12 });
    const id = await entryId();
    const first = await salon.move('call', id);
    expect(first.body.entry).toMatchObject({ called_at: '2026-05-01T11:00:00.000000Z', hold_until: '2026-05-01T11:12:00.000000Z' });
    running.clock.advance({ minutes: 3 });
    expect((await salon.move('call', id)).body.entry.hold_until).toBe(first.body.entry.hold_until);
  });

  test('made six times at once is one call', async () => {
    const id = await entryId();
    const responses = await Promise.all(Array.from({ length: 6 }, () => salon.move('call', id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined', 'queue.called']);
  });

  test('that has lapsed cannot be called, recalled, assigned or converted', async () => {
    const id = await entryId();
    await salon.move('call', id);
    running.clock.advance({ minutes: 5 });
    for (const move of ['call', 'recall', 'assign', 'convert'])
      expect(code(await salon.move(move, id))).toEqual([409, 'INVALID_TRANSITION']);
    expect((await salon.move('no-show', id)).body.entry.status).toBe('no_show');
  });
});

test('a recalled entry has the position from before its call', async () => {
  const [first, second] = [await entryId(), await entryId()];
  await salon.move('call', first);
  const { entry } = (await salon.move('recall', first)).body;
  expect(entry).toMatchObject({ queue_position: 1, called_at: null, hold_until: null, joined_at: '2026-05-01T11:00:00.000000Z' });
  expect((await salon.status({ entry_id: second })).body.entry.queue_position).toBe(2);
});

test('a converted entry names the appointment that was booked instead', async () => {
  const appointment_id = randomUUID();
  const { entry } = (await salon.move('convert', await entryId(), { appointment_id })).body;
  expect(entry).toMatchObject({ status: 'converted_to_appointment', appointment_id, queue_position: null });
});

describe('the live list', () => {
  test('lists called, waiting and assigned entries in that order, with a guest’s phone number', async () => {
    const ids = [await entryId({ guest_phone: '+447700900003' }), await entryId(), await entryId(), await entryId()] as const;
    await salon.move('assign', ids[0]);
    await salon.move('call', ids[2]);
    await salon.leave(ids[3]);
    const { status, body } = await salon.list();
    expect(status).toBe(200);
    expect(body.called_hold_minutes).toBe(5);
    expect(body.entries.map((entry: { entry_id: string; status: string }) => [entry.entry_id, entry.status])).toEqual([
      [ids[2], 'called'],
      [ids[1], 'waiting'],
      [ids[0], 'assigned'],
    ]);
    expect(body.entries[2]).toMatchObject({ guest_phone: '+447700900003', guest_name: 'Guest', hold_until: null });
    expect(body.entries[1]).toMatchObject({ guest_phone: null, queue_position: 1 });
  });

  test('names a customer for the store alone, and the chairs and services to choose from', async () => {
    const { id, token } = await someCustomer(running);
    await running.consume(customerSnapshot(id, 1));
    const { entry_id } = (await salon.join({}, token)).body;
    const { entries, chairs, services } = (await salon.list()).body;
    expect(entries).toMatchObject([{ entry_id, customer_name: 'Version 1' }]);
    expect((await salon.log()).body.entries[0].title).toBe('Version 1 joined the queue');
    expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).not.toHaveProperty('customer_name');
    expect(chairs).toEqual(salon.chairs.map((chair, index) => ({ id: chair, name: `Chair ${index + 1}` })));
    expect(services.map(({ name }: { name: string }) => name)).toEqual(['Cut', 'Beard']);
  });

  test('says in which chair a party sits, and where those who wait would', async () => {
    const [seated, waits] = [await entryId(), await entryId()];
    await salon.move('assign', seated);
    const { body } = await salon.list();
    const seats = Object.fromEntries(body.entries.map((entry: { entry_id: string; seats: object[] }) => [entry.entry_id, entry.seats]));
    expect(seats).toEqual({
      [seated]: [{ unit_id: expect.any(String), starts_at: '2026-05-01T11:00:00.000Z', ends_at: expect.any(String) }],
      [waits]: [{ unit_id: expect.any(String), starts_at: expect.any(String), ends_at: expect.any(String) }],
    });
    expect(body.chairs.map(({ id }: { id: string }) => id)).toContain(seats[seated][0].unit_id);
  });

  test('does not list a call that has lapsed', async () => {
    await salon.move('call', await entryId());
    running.clock.advance({ minutes: 5 });
    expect((await salon.list()).body.entries).toEqual([]);
  });

  test('of a store that the directory has not published is not found', async () => {
    const unknownStore = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', stores: [{ id: unknownStore, role: 'staff' }] });
    const response = await fetch(`${running.service.url}/api/v1/queue/entries?store_id=${unknownStore}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'STORE_NOT_FOUND' } });
  });
});

describe('the staff’s operations', () => {
  const callers = async (id: string, token: string | null) => [
    await salon.list(token),
    ...(await Promise.all(moves.map((move) => salon.move(move, id, {}, token)))),
  ];

  test('refuse guests, customers and the staff of another store', async () => {
    const id = await entryId();
    const other = await openSalon(running);
    const refusals = [
      [null, 401, 'UNAUTHENTICATED'],
      [await running.issuer.token({ typ: 'customer' }), 403, 'WRONG_TOKEN_TYPE'],
      [await other.owner(), 403, 'STORE_FORBIDDEN'],
    ] as const;
    for (const [token, ...refusal] of refusals) expect((await callers(id, token)).map(code)).toEqual(Array(7).fill(refusal));
    expect(await salon.published()).toHaveLength(1);
  });

  test('treat an entry of another store like an unknown entry', async () => {
    const id = await entryId();
    const other = await openSalon(running);
    for (const move of moves) {
      const [foreign, unknown] = [await other.move(move, id), await other.move(move, randomUUID())];
      expect(code(foreign)).toEqual([404, 'QUEUE_ENTRY_NOT_FOUND']);
      expect(foreign.body.error.message).toBe(unknown.body.error.message);
    }
    expect((await other.list()).body.entries).toEqual([]);
    expect(await salon.published()).toHaveLength(1);
  });

  test('refuse ids that are no UUIDs', async () => {
    for (const move of moves) {
      expect(code(await salon.move(move, 'not-an-id'))).toEqual([400, 'VALIDATION_FAILED']);
      expect(code(await salon.move(move, randomUUID(), { store_id: 'x' }))).toEqual([400, 'VALIDATION_FAILED']);
    }
  });
});

describe('assigning:', () => {
  const noChair = [409, 'NO_CAPACITY_TODAY'];

  const Seat = z.object({ chair: z.number(), from: z.string(), to: z.string() });

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
});
