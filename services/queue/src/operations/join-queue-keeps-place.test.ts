// covers: joinQueue
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const guest = { guest_name: 'Dee', guest_phone: '+447700900123' };
const typesOf = async (salon: Salon) => (await salon.published()).map(({ type }) => type);
const activeEntries = async (salon: Salon) => (await salon.list()).body.entries;

describe('a guest who signs in', () => {
  test('keeps the place, its position and its time of joining, and the store no longer shows a guest’s name', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    await salon.join();
    running.clock.advance({ minutes: 3 });
    const { id, token } = await someCustomer(running);
    const joined = await salon.join({ entry_id }, token);
    expect(joined).toMatchObject({ status: 200, body: { entry_id, reused: true, status: 'waiting' } });
    expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).toMatchObject({
      entry_id,
      customer_id: id,
      guest_name: null,
      queue_position: 1,
      joined_at: expect.stringMatching(/^2026-05-01T11:00:00/),
    });
    expect(await activeEntries(salon)).toHaveLength(2);
    // The party may still be waiting for a text on that number.
    expect((await activeEntries(salon))[0]).toMatchObject({ customer_id: id, guest_phone: guest.guest_phone });
  });

  test('keeps it from then on as a customer: without the token the id opens nothing', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    const { token } = await someCustomer(running);
    await salon.join({ entry_id }, token);
    expect((await salon.status({ entry_id })).body.entry).toBeNull();
    expect((await salon.leave(entry_id)).status).toBe(404);
    expect((await salon.leave(entry_id, token)).body).toMatchObject({ status: 'left', noop: false });
  });

  test('twice at once has one place', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    const { token } = await someCustomer(running);
    const joined = await Promise.all([1, 2, 3].map(() => salon.join({ entry_id }, token)));
    expect(joined.map(({ body }) => [body.entry_id, body.reused])).toEqual([1, 2, 3].map(() => [entry_id, true]));
    expect(await activeEntries(salon)).toHaveLength(1);
    expect(await typesOf(salon)).toEqual(['queue.joined', 'queue.claimed']);
  });

  test('keeps a place that is called already', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    await salon.move('call', entry_id);
    const { token } = await someCustomer(running);
    expect((await salon.join({ entry_id }, token)).body).toMatchObject({ entry_id, reused: true, status: 'called', expected_wait_min: 0 });
  });

  test('joins anew when the guest’s place has ended', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    await salon.leave(entry_id);
    const { token } = await someCustomer(running);
    const { body } = await salon.join({ entry_id }, token);
    expect(body).toMatchObject({ reused: false, status: 'waiting' });
    expect(body.entry_id).not.toBe(entry_id);
  });
});

test('of two customers who name one guest’s place at once, one gets it and the other gets what an unknown id gets', async () => {
  const salon = await openSalon(running, 1);
  const { entry_id } = (await salon.join(guest)).body;
  const customers = await Promise.all([someCustomer(running), someCustomer(running)]);
  const joined = await Promise.all(customers.map(({ token }) => salon.join({ entry_id }, token)));
  expect(joined.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const unknown = await salon.join({ entry_id: randomUUID() }, customers[0].token);
  const refused = joined.find(({ status }) => status === 404);
  expect(refused?.body.error).toMatchObject({ code: 'QUEUE_ENTRY_NOT_FOUND', message: unknown.body.error.message });
  const owner = customers[joined.findIndex(({ status }) => status === 200)];
  expect((await activeEntries(salon)).map((entry: { customer_id: string }) => entry.customer_id)).toEqual([owner?.id]);
});

test('a place at another store is refused as an unknown one', async () => {
  const [salon, other] = [await openSalon(running, 1), await openSalon(running, 1)];
  const { entry_id } = (await other.join(guest)).body;
  const { token } = await someCustomer(running);
  expect((await salon.join({ entry_id }, token)).body.error.code).toBe('QUEUE_ENTRY_NOT_FOUND');
  expect(await activeEntries(salon)).toEqual([]);
});

describe('a customer who has a place already', () => {
  test.each([
    ['keeps the guest’s place, which is the earlier one', 'guest'],
    ['keeps their own place, which is the earlier one', 'own'],
  ] as const)('%s, and leaves the other', async (_, earlier) => {
    const salon = await openSalon(running, 1);
    const { token } = await someCustomer(running);
    const joins = [() => salon.join(guest), () => salon.join({}, token)];
    const first = (await (earlier === 'guest' ? joins[0] : joins[1])?.())?.body.entry_id;
    const second = (await (earlier === 'guest' ? joins[1] : joins[0])?.())?.body.entry_id;
    const guestEntry = earlier === 'guest' ? first : second;
    const { body } = await salon.join({ entry_id: guestEntry }, token);
    expect(body).toMatchObject({ entry_id: first, reused: true });
    expect((await activeEntries(salon)).map(({ entry_id }: { entry_id: string }) => entry_id)).toEqual([first]);
    const left = (await salon.published()).filter(({ type }) => type === 'queue.left');
    expect(left.map(({ data }) => (data as { left_by: string }).left_by)).toEqual(['owner']);
    expect(second).not.toBe(first);
  });
});

test('a guest’s own entry_id in a join is ignored', async () => {
  const salon = await openSalon(running, 2);
  const { entry_id } = (await salon.join(guest)).body;
  expect((await salon.join({ ...guest, entry_id })).body).toMatchObject({ reused: false });
  expect(await activeEntries(salon)).toHaveLength(2);
});
