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
  salon = await openSalon(running, 1);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const entryId = async (more?: object, token?: string) => (await salon.join(more, token)).body.entry_id as string;
const entry = async (id: string, token?: string) => (await salon.status({ entry_id: id }, token)).body.entry;

describe('leaving the queue', () => {
  test('ends the entry and publishes queue.left', async () => {
    const id = await entryId();
    expect(await salon.leave(id)).toEqual({ status: 200, body: { entry_id: id, status: 'left', noop: false } });
    expect((await salon.published()).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['queue.joined', 1],
      ['queue.left', 2],
    ]);
  });

  test('twice is leaving once, also at the same time, and a completed entry stays completed', async () => {
    const id = await entryId();
    const responses = await Promise.all(Array.from({ length: 5 }, () => salon.leave(id)));
    expect(responses.map(({ body }) => body.noop).sort()).toEqual([false, true, true, true, true]);
    expect(responses.map(({ body }) => body.status)).toEqual(Array(5).fill('left'));
    expect((await salon.published()).filter(({ type }) => type === 'queue.left')).toHaveLength(1);
    const served = await entryId();
    await salon.move('assign', served);
    await salon.move('complete', served);
    expect((await salon.leave(served)).body).toEqual({ entry_id: served, status: 'completed', noop: true });
  });

  test('frees the chair of an assigned entry', async () => {
    const [id, behind] = [await entryId(), await entryId()];
    await salon.move('assign', id);
    expect(await entry(behind)).toMatchObject({ expected_wait_min: 30 });
    expect((await salon.leave(id)).body).toMatchObject({ status: 'left', noop: false });
    expect(await entry(behind)).toMatchObject({ expected_wait_min: 0 });
  });

  test('after a call has lapsed changes nothing: the entry is a no-show', async () => {
    const id = await entryId();
    await salon.move('call', id);
    running.clock.advance({ minutes: 5 });
    expect((await salon.leave(id)).body).toEqual({ entry_id: id, status: 'no_show', noop: true });
  });

  test('is for the owner only: an unknown entry and another person’s entry are refused alike, and nothing changes', async () => {
    const [one, other] = [await someCustomer(running), await someCustomer(running)];
    const [guests, ones] = [await entryId(), await entryId({}, one.token)];
    const refused = [
      await salon.leave(randomUUID()),
      await salon.leave(ones, other.token),
      await salon.leave(ones),
      await salon.leave(guests, one.token),
    ];
    const responses = refused.map(({ status, body }) => [status, body.error.code, body.error.message]);
    expect(new Set(responses.map(String)).size).toBe(1);
    expect(responses[0]).toEqual([404, 'QUEUE_ENTRY_NOT_FOUND', expect.any(String)]);
    expect((await salon.list()).body.entries).toHaveLength(2);
    expect((await salon.leave('x')).status).toBe(400);
    expect((await salon.leave(guests, await running.issuer.bad.forged({ typ: 'customer' }))).status).toBe(401);
  });
});
