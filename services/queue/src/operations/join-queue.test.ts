import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

describe('works', () => {
  test('a guest gets a place, a wait and a credential, and the queue is told', async () => {
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

  test('a guest without a name is a guest; a customer’s name and phone are not taken from what they send', async () => {
    const customer = await someCustomer(running);
    await salon.join();
    await salon.join({ guest_name: 'Not me', guest_phone: '+447700900003' }, customer.token);
    const { entries } = (await salon.list()).body;
    expect(entries).toMatchObject([
      { customer_id: null, guest_name: 'Guest', guest_phone: null },
      { customer_id: customer.id, guest_name: null, guest_phone: null },
    ]);
  });

  test('the wait that was quoted stays, whatever becomes of the day', async () => {
    const { body } = await salon.join();
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T13:00:00Z', { unit_id: salon.chairs[1] as string });
    expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ quoted_wait_min: 0, expected_wait_min: 60 });
  });

  test('a staff token at the public door is a guest', async () => {
    expect((await salon.join({}, await salon.owner())).status).toBe(200);
    expect((await salon.list()).body.entries).toMatchObject([{ customer_id: null }]);
  });
});

describe('twice is once', () => {
  test('for a customer: the same place, with the wait as it is now', async () => {
    const { token } = await someCustomer(running);
    const first = await salon.join({}, token);
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
    await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:30:00Z', { unit_id: salon.chairs[1] as string });
    const second = await salon.join({ party_size: 3 }, token);
    expect(second.body).toEqual({ entry_id: first.body.entry_id, reused: true, expected_wait_min: 60, status: 'waiting' });
    await salon.move('call', first.body.entry_id);
    expect((await salon.join({}, token)).body).toMatchObject({ reused: true, expected_wait_min: 0, status: 'called' });
  });

  test('also on two phones at once, and when the store has closed its queue since', async () => {
    const { token } = await someCustomer(running);
    const responses = await Promise.all(Array.from({ length: 8 }, () => salon.join({}, token)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map(({ body }) => body.entry_id)).size).toBe(1);
    expect(responses.filter(({ body }) => !body.reused)).toHaveLength(1);
    expect(await salon.published()).toHaveLength(1);
    await salon.setStore({ walk_ins_accepted: false });
    expect((await salon.join({}, token)).body).toMatchObject({ reused: true });
  });

  test('but a place that has ended is not given back, and another store is another queue', async () => {
    const { token } = await someCustomer(running);
    const first = await salon.join({}, token);
    await salon.leave(first.body.entry_id, token);
    const second = await salon.join({}, token);
    expect(second.body).toMatchObject({ reused: false });
    expect(second.body.entry_id).not.toBe(first.body.entry_id);
    expect((await (await openSalon(running)).join({}, token)).body).toMatchObject({ reused: false });
  });

  test('for a guest by Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await salon.join({}, null, key), await salon.join({}, null, key)];
    expect(second).toEqual(first);
    expect(await salon.published()).toHaveLength(1);
  });

  test('and a guest’s key that another might have too is refused: it would hand over their credential', async () => {
    expect(await salon.join({}, null, { 'idempotency-key': 'my-first-join-19chr' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', message: expect.stringMatching(/^Idempotency-Key .*UUID/) } },
    });
    const { token } = await someCustomer(running);
    expect(await salon.join({}, token, { 'idempotency-key': 'mine' })).toMatchObject({ status: 200 });
  });
});

test('two at once: thirty who join get thirty places, each behind the one before, none with a wait of another', async () => {
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

test('who joins later is behind, though the clock was set back', async () => {
  await salon.join({ guest_name: 'First' });
  running.clock.advance({ minutes: -10 });
  await salon.join({ guest_name: 'Second' });
  const { entries } = (await salon.list()).body;
  expect(entries.map((entry: { guest_name: string }) => entry.guest_name)).toEqual(['First', 'Second']);
});

describe('is refused', () => {
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

  test('by a store that is unknown, takes no walk-ins or is dark', async () => {
    expect(code(await salon.join({ store_id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
    await salon.setStore({ walk_ins_accepted: false });
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
    await salon.setStore({ status: 'dark' });
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
  });

  test('for a service or chair the store does not have, another store’s as well', async () => {
    const other = await openSalon(running);
    expect(code(await salon.join({ service_id: other.cut }))).toEqual([422, 'SERVICE_NOT_FOUND']);
    expect(code(await salon.join({ preferred_unit_id: other.chairs[0] }))).toEqual([422, 'UNIT_NOT_FOUND']);
    expect((await salon.join({ service_id: salon.beard.toUpperCase() })).status).toBe(200);
  });

  test('where the day has no place left, and nothing is kept of it', async () => {
    running.clock.set('2026-05-01T16:31:00Z');
    expect(code(await salon.join())).toEqual([409, 'NO_CAPACITY_TODAY']);
    expect((await salon.list()).body.entries).toEqual([]);
    expect(await salon.published()).toEqual([]);
    expect((await salon.join({ service_id: salon.beard })).status).toBe(200);
  });

  test('with bad input, and with a token that is not good', async () => {
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
