import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
const moves = ['call', 'recall', 'assign', 'complete', 'no-show', 'convert'];
/** Brings a new entry to a status by the moves that lead there. */
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

describe.each(Object.keys(paths))('who is %s', (status) => {
  test.each(moves)('and %s', async (move) => {
    const id = await entryId();
    for (const step of paths[status] ?? []) expect((await salon.move(step, id)).status).toBe(200);
    const before = (await salon.published()).length;
    const answer = await salon.move(move, id);
    const to = allowed[status]?.[move];
    expect(to ? [answer.status, answer.body.entry?.status] : code(answer)).toEqual(to ? [200, to] : [409, 'INVALID_TRANSITION']);
    const published = await salon.published();
    expect(published).toHaveLength(before + (to && to !== status ? 1 : 0));
    expect(published.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
  });
});

test('each move tells what happened: whom, until when a call holds, and which place they have again', async () => {
  const [id] = [await entryId(), await entryId()];
  await salon.move('call', id);
  running.clock.advance({ minutes: 1 });
  await salon.move('recall', id);
  await salon.move('assign', id);
  await salon.move('complete', id);
  const published = (await salon.published()).filter(({ aggregate_id }, _, [first]) => aggregate_id === first?.aggregate_id);
  expect(published.map(({ type, data }) => [type, data.position, data.hold_until])).toEqual([
    ['queue.joined', 1, null],
    ['queue.called', null, '2026-05-01T11:05:00.000000Z'],
    ['queue.recalled', 1, null],
    ['queue.assigned', null, null],
    ['queue.completed', null, null],
  ]);
});

describe('call', () => {
  test('holds the place as long as the store says, not longer for a second call', async () => {
    await salon.setStore({ called_hold_minutes: 12 });
    const id = await entryId();
    const first = await salon.move('call', id);
    expect(first.body.entry).toMatchObject({ called_at: '2026-05-01T11:00:00.000000Z', hold_until: '2026-05-01T11:12:00.000000Z' });
    running.clock.advance({ minutes: 3 });
    expect((await salon.move('call', id)).body.entry.hold_until).toBe(first.body.entry.hold_until);
  });

  test('by two at once is one call', async () => {
    const id = await entryId();
    const responses = await Promise.all(Array.from({ length: 6 }, () => salon.move('call', id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined', 'queue.called']);
  });

  test('or any other move comes too late for a call that has lapsed', async () => {
    const id = await entryId();
    await salon.move('call', id);
    running.clock.advance({ minutes: 5 });
    for (const move of ['call', 'recall', 'assign', 'convert'])
      expect(code(await salon.move(move, id))).toEqual([409, 'INVALID_TRANSITION']);
    expect((await salon.move('no-show', id)).body.entry.status).toBe('no_show');
  });
});

test('recall gives back the place from before', async () => {
  const [first, second] = [await entryId(), await entryId()];
  await salon.move('call', first);
  const { entry } = (await salon.move('recall', first)).body;
  expect(entry).toMatchObject({ queue_position: 1, called_at: null, hold_until: null, joined_at: '2026-05-01T11:00:00.000000Z' });
  expect((await salon.status({ entry_id: second })).body.entry.queue_position).toBe(2);
});

test('convert keeps the booking that was made instead', async () => {
  const appointment_id = randomUUID();
  const { entry } = (await salon.move('convert', await entryId(), { appointment_id })).body;
  expect(entry).toMatchObject({ status: 'converted_to_appointment', appointment_id, queue_position: null });
});

describe('the live list', () => {
  test('has who is called, who waits and who sits, with a guest’s phone', async () => {
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

  test('never shows a call that has lapsed', async () => {
    await salon.move('call', await entryId());
    running.clock.advance({ minutes: 5 });
    expect((await salon.list()).body.entries).toEqual([]);
  });

  test('of a store the directory never told of is not found', async () => {
    const stranger = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', stores: [{ id: stranger, role: 'staff' }] });
    const response = await fetch(`${running.service.url}/api/v1/queue/entries?store_id=${stranger}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(404);
  });
});

describe('is for the store’s own people', () => {
  const callers = async (id: string, token: string | null) => [
    await salon.list(token),
    ...(await Promise.all(moves.map((move) => salon.move(move, id, {}, token)))),
  ];

  test('not for guests, customers, or another store’s', async () => {
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

  test('who find no entry of another store, as if there were none', async () => {
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

  test('who say what they mean', async () => {
    for (const move of moves) {
      expect(code(await salon.move(move, 'not-an-id'))).toEqual([400, 'VALIDATION_FAILED']);
      expect(code(await salon.move(move, randomUUID(), { store_id: 'x' }))).toEqual([400, 'VALIDATION_FAILED']);
    }
  });
});
