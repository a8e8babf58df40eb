import { randomUUID } from 'node:crypto';
import { openEventStream } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

describe('queue status', () => {
  let salon: Salon;
  beforeEach(async () => {
    salon = await openSalon(running, 1);
  });
  const entryId = async (more?: object, token?: string) => (await salon.join(more, token)).body.entry_id as string;
  const entry = async (id: string, token?: string) => (await salon.status({ entry_id: id }, token)).body.entry;
  const noEntry = { status: 200, body: { entry: null, called_hold_minutes: 5 } };

  test('shows every promised field of an entry, and none that only staff may see', async () => {
    const id = await entryId({ guest_name: 'Dee', guest_phone: '+447700900003', service_id: salon.cut, party_size: 2 });
    expect(await salon.status({ entry_id: id })).toEqual({
      status: 200,
      body: {
        entry: {
          entry_id: id,
          store_id: salon.storeId,
          customer_id: null,
          guest_name: 'Dee',
          service_id: salon.cut,
          preferred_unit_id: null,
          party_size: 2,
          status: 'waiting',
          joined_at: '2026-05-01T11:00:00.000000Z',
          called_at: null,
          quoted_wait_min: 0,
          wait_range: null,
          appointment_id: null,
          queue_position: 1,
          expected_wait_min: 0,
          expected_start: '2026-05-01T11:00:00.000Z',
          suggested_unit_id: salon.chairs[0],
        },
        called_hold_minutes: 5,
        chain: { number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
  });

  test('derives position and wait from the current queue', async () => {
    const [first, second, third] = [await entryId(), await entryId(), await entryId()];
    expect(await entry(third)).toMatchObject({ queue_position: 3, expected_wait_min: 60, expected_start: '2026-05-01T12:00:00.000Z' });
    await salon.leave(first);
    expect([(await entry(second)).queue_position, (await entry(third)).queue_position]).toEqual([1, 2]);
    expect(await entry(third)).toMatchObject({ expected_wait_min: 30, quoted_wait_min: 60 });
    await salon.move('call', second);
    expect(await entry(second)).toMatchObject({ status: 'called', queue_position: null, expected_wait_min: null, suggested_unit_id: null });
    expect(await entry(third)).toMatchObject({ queue_position: 1, expected_wait_min: 30 });
  });

  test('has no wait for an entry that the day has no room for, and still has one for the other entries', async () => {
    const [long, short] = [await entryId({ party_size: 8 }), await entryId({ service_id: salon.beard })];
    await salon.book('2026-05-01T11:30:00Z', '2026-05-01T14:00:00Z');
    expect(await entry(long)).toMatchObject({ queue_position: 1, expected_wait_min: null, expected_start: null, suggested_unit_id: null });
    expect(await entry(short)).toMatchObject({ queue_position: 2, expected_wait_min: 0 });
  });

  test('finds a signed-in customer’s entry by the store, and none once it has ended', async () => {
    const { token } = await someCustomer(running);
    await salon.setStore({ called_hold_minutes: 9 });
    expect((await salon.status({ store_id: salon.storeId }, token)).body).toEqual({ entry: null, called_hold_minutes: 9 });
    const id = await entryId({}, token);
    expect((await salon.status({ store_id: salon.storeId }, token)).body).toMatchObject({
      entry: { entry_id: id },
      called_hold_minutes: 9,
    });
    await salon.leave(id, token);
    expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).toBeNull();
    expect(await entry(id, token)).toMatchObject({ status: 'left', queue_position: null });
  });

  test('returns no entry to a guest who names only a store, and to a request that names nothing', async () => {
    await salon.setStore({ called_hold_minutes: 9 });
    await entryId();
    expect(await salon.status({ store_id: salon.storeId })).toEqual(noEntry);
    expect(await salon.status({})).toEqual(noEntry);
  });

  test('returns the same null for an unknown entry, an id that is no UUID, and another person’s entry', async () => {
    await salon.setStore({ called_hold_minutes: 9 });
    const [one, other] = [await someCustomer(running), await someCustomer(running)];
    const [guests, ones] = [await entryId(), await entryId({}, one.token)];
    for (const id of [randomUUID(), 'not-an-id', '']) expect(await salon.status({ entry_id: id })).toEqual(noEntry);
    expect(await salon.status({ entry_id: ones }, other.token)).toEqual(noEntry);
    expect(await salon.status({ entry_id: ones })).toEqual(noEntry);
    expect(await salon.status({ entry_id: guests }, one.token)).toEqual(noEntry);
    expect((await salon.status({ entry_id: guests.toUpperCase() })).body.entry).toMatchObject({ entry_id: guests });
  });

  test('shows an ended entry for one day', async () => {
    const id = await entryId();
    await salon.leave(id);
    running.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect(await entry(id)).toMatchObject({ status: 'left' });
    running.clock.advance({ seconds: 1 });
    expect(await salon.status({ entry_id: id })).toEqual(noEntry);
  });

  test('shows a lapsed call as a no-show from the instant it lapses, and the no-show is published once', async () => {
    const [id, behind] = [await entryId(), await entryId()];
    await salon.move('call', id);
    running.clock.advance({ minutes: 4, seconds: 59 });
    expect(await entry(id)).toMatchObject({ status: 'called', called_at: '2026-05-01T11:00:00.000000Z' });
    running.clock.advance({ seconds: 1 });
    const shown = await Promise.all(Array.from({ length: 6 }, () => entry(id)));
    expect(shown.map(({ status }) => status)).toEqual(Array(6).fill('no_show'));
    expect(await entry(behind)).toMatchObject({ queue_position: 1, expected_wait_min: 0 });
    expect((await salon.published()).filter(({ type }) => type === 'queue.no_show')).toMatchObject([{ sequence: 3 }]);
  });
});

test('a guest follows a place: it moves up when another party leaves, and is called', async () => {
  const salon = await openSalon(running, 1);
  const join = async () => (await salon.join()).body.entry_id as string;
  const [first, second] = [await join(), await join()];
  const url = `${running.service.url}/api/v1/queue/status?entry_id=${second}`;
  const stream = await openEventStream(await fetch(url, { headers: { Accept: 'text/event-stream' } }));
  const next = async () => JSON.parse((await stream.next()).data).entry;
  expect(await next()).toMatchObject({ entry_id: second, status: 'waiting', queue_position: 2 });
  await salon.leave(first);
  expect(await next()).toMatchObject({ status: 'waiting', queue_position: 1 });
  await salon.move('call', second);
  expect(await next()).toMatchObject({ status: 'called', queue_position: null });
  await stream.close();
});

test('a service that stops ends its streams', async () => {
  const stopping = await startRunning();
  stopping.clock.set('2026-05-01T11:00:00Z');
  const salon = await openSalon(stopping, 1);
  const { entry_id } = (await salon.join()).body;
  const url = `${stopping.service.url}/api/v1/queue/status?entry_id=${entry_id}`;
  const stream = await openEventStream(await fetch(url, { headers: { Accept: 'text/event-stream' } }));
  await stream.next();
  const stopped = stopping[Symbol.asyncDispose]();
  await stream.ended();
  await stopped;
});
