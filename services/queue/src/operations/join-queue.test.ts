import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon, someCustomer } from '../testing/salon.ts';

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

const uuidv4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('join works', () => {
  test('a guest gets an entry id and a wait, and queue.joined is published', async () => {
    const first = await salon.join({ guest_name: 'Dee', guest_phone: '+447700900003' });
    expect(first).toEqual({
      status: 200,
      body: { entry_id: expect.stringMatching(uuidv4), reused: false, expected_wait_min: 0, status: 'waiting' },
    });
    const others = [await salon.join(), await salon.join(), await salon.join()];
    expect(others.map(({ body }) => body.expected_wait_min)).toEqual([0, 30, 30]);
    const published = await salon.published();
    expect(published.map(({ type, sequence, data }) => [type, sequence, data.position])).toEqual([
      ['queue.joined', 1, 1],
      ['queue.joined', 1, 2],
      ['queue.joined', 1, 3],
      ['queue.joined', 1, 4],
    ]);
    expect(published[0]?.data).toMatchObject({
      store_id: salon.storeId,
      customer_id: null,
      hold_until: null,
      at: '2026-05-01T11:00:00.000Z',
    });
  });

  test('a guest without a name is called Guest; a customer’s name and phone number are not taken from the request', async () => {
    const customer = await someCustomer(running);
    await salon.join();
    await salon.join({ guest_name: 'Not me', guest_phone: '+447700900003' }, customer.token);
    const { entries } = (await salon.list()).body;
    expect(entries).toMatchObject([
      { customer_id: null, guest_name: 'Guest', guest_phone: null },
      { customer_id: customer.id, guest_name: null, guest_phone: null },
    ]);
  });

  test('the quoted wait stays when the diary changes', async () => {
    const { body } = await salon.join();
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T13:00:00Z', { unit_id: salon.chairs[1] as string });
    expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ quoted_wait_min: 0, expected_wait_min: 60 });
  });

  test('a caller with a staff token joins as a guest', async () => {
    expect((await salon.join({}, await salon.owner())).status).toBe(200);
    expect((await salon.list()).body.entries).toMatchObject([{ customer_id: null }]);
  });
});

describe('a second join has no second effect', () => {
  test('a customer gets the same entry back, with the current wait', async () => {
    const { token } = await someCustomer(running);
    const first = await salon.join({}, token);
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:30:00Z', { unit_id: salon.chairs[1] as string });
    const second = await salon.join({ party_size: 3 }, token);
    expect(second.body).toEqual({ entry_id: first.body.entry_id, reused: true, expected_wait_min: 60, status: 'waiting' });
    await salon.move('call', first.body.entry_id);
    expect((await salon.join({}, token)).body).toMatchObject({ reused: true, expected_wait_min: 0, status: 'called' });
  });

  test('a customer gets the same entry on eight phones at once, and after the store has stopped accepting walk-ins', async () => {
    const { token } = await someCustomer(running);
    const responses = await Promise.all(Array.from({ length: 8 }, () => salon.join({}, token)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map(({ body }) => body.entry_id)).size).toBe(1);
    expect(responses.filter(({ body }) => !body.reused)).toHaveLength(1);
    expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined']);
    await salon.setStore({ walk_ins_accepted: false });
    expect((await salon.join({}, token)).body).toMatchObject({ reused: true });
  });

  test('an entry that has ended is not given back, and another store has a queue of its own', async () => {
    const { token } = await someCustomer(running);
    const first = await salon.join({}, token);
    await salon.leave(first.body.entry_id, token);
    const second = await salon.join({}, token);
    expect(second.body).toMatchObject({ reused: false });
    expect(second.body.entry_id).not.toBe(first.body.entry_id);
    expect((await (await openSalon(running)).join({}, token)).body).toMatchObject({ reused: false });
  });

  test('a guest’s repeat with the same Idempotency-Key returns the same response', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await salon.join({}, null, key), await salon.join({}, null, key)];
    expect(second).toEqual(first);
    expect(await salon.published()).toHaveLength(1);
  });

  test('a guest whose join was committed and not recorded under its key gets that place again, also when it has ended', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await salon.join({}, null, key);
    const crashed = () =>
      running.service.database.query(sql.type(z.object({}))`delete from idempotency_key where key = ${key['idempotency-key']}`);
    await crashed();
    expect(await salon.join({}, null, key)).toEqual(first);
    expect((await salon.list()).body.entries).toHaveLength(1);
    await salon.leave(first.body.entry_id);
    await crashed();
    expect((await salon.join({}, null, key)).body).toEqual({ ...first.body, status: 'left' });
    expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined', 'queue.left']);
  });

  test('a guest’s Idempotency-Key must be a UUID, since a key that another guest might choose would return that guest’s credential', async () => {
    expect(await salon.join({}, null, { 'idempotency-key': 'my-first-join-19chr' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', message: expect.stringMatching(/^Idempotency-Key .*UUID/) } },
    });
    const { token } = await someCustomer(running);
    expect(await salon.join({}, token, { 'idempotency-key': 'mine' })).toMatchObject({ status: 200 });
  });
});

test('thirty guests who join at the same time get thirty positions, each with the wait that belongs to it', async () => {
  const roomy = await openSalon(running, 4);
  const responses = await Promise.all(Array.from({ length: 30 }, () => roomy.join()));
  const { entries } = (await roomy.list()).body;
  expect(entries.map((entry: { queue_position: number }) => entry.queue_position)).toEqual(entries.map((_: unknown, i: number) => i + 1));
  expect(new Set(entries.map((entry: { joined_at: string }) => entry.joined_at)).size).toBe(30);
  const quoted = new Map(responses.map(({ body }) => [body.entry_id, body.expected_wait_min]));
  for (const [index, entry] of entries.entries()) {
    expect([quoted.get(entry.entry_id), entry.expected_wait_min]).toEqual([Math.floor(index / 4) * 30, Math.floor(index / 4) * 30]);
  }
});

test('a guest who joins later is behind, even when the clock was set back', async () => {
  await salon.join({ guest_name: 'First' });
  running.clock.advance({ minutes: -10 });
  await salon.join({ guest_name: 'Second' });
  const { entries } = (await salon.list()).body;
  expect(entries.map((entry: { guest_name: string }) => entry.guest_name)).toEqual(['First', 'Second']);
});

describe('join is refused', () => {
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

  test('when the store is unknown, accepts no walk-ins or is dark', async () => {
    expect(code(await salon.join({ store_id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
    await salon.setStore({ walk_ins_accepted: false });
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
    await salon.setStore({ status: 'dark' });
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
  });

  test('when the store does not have the service or chair, also when another store has it', async () => {
    const other = await openSalon(running);
    expect(code(await salon.join({ service_id: other.cut }))).toEqual([422, 'SERVICE_NOT_FOUND']);
    expect(code(await salon.join({ preferred_unit_id: other.chairs[0] }))).toEqual([422, 'UNIT_NOT_FOUND']);
    expect((await salon.join({ service_id: salon.beard.toUpperCase() })).status).toBe(200);
  });

  test('when the day has no room left, and then nothing is stored or published', async () => {
    running.clock.set('2026-05-01T16:31:00Z');
    expect(code(await salon.join())).toEqual([409, 'NO_CAPACITY_TODAY']);
    expect((await salon.list()).body.entries).toEqual([]);
    expect(await salon.published()).toEqual([]);
    expect((await salon.join({ service_id: salon.beard })).status).toBe(200);
  });

  test('when the input is invalid or the token has expired', async () => {
    const bad = [
      { store_id: 'x' },
      { party_size: 0 },
      { party_size: 9 },
      { guest_phone: '0770' },
      { guest_name: ' ' },
      { service_id: 'cut' },
    ];
    for (const more of [...bad, { guest_name: 'x'.repeat(81) }]) expect((await salon.join(more)).status).toBe(400);
    expect((await salon.join({}, await running.issuer.bad.expired({ typ: 'customer' }))).status).toBe(401);
  });
});
