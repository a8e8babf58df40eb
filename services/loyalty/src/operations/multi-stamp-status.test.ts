import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storeOf } from '../testing/events.ts';
import { addStaff, atCounter, type Member, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, openShop, ownerOf, type Shop, type TestResponse, withoutProof } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
const none = { has_pending_request: false };
let running: Running;
let shop: Shop;
let member: Member;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { ...withoutProof, goal: 10 });
  member = await addStaff(running, shop);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

/** Returns the response, and the number of statements it took. */
async function counted(work: () => Promise<TestResponse>) {
  running.statements.length = 0;
  const { status, body } = await work();
  return { status, body, statements: running.statements.length };
}

describe('the status', () => {
  test('shows a pending request to the end of its grace, and a confirmed one for a minute', async () => {
    const ana = await atCounter(running, shop, member);
    expect((await ana.status()).body).toEqual(none);
    const { request_id: id, expires_at } = (await ana.request(2)).body;
    const shown = { id, requested_stamps: 2, status: 'pending', expires_at };
    for (const [at, remaining_seconds] of [
      [0, 60],
      [59.5, 1],
      [60, 0],
      [65, 0],
    ] as const) {
      running.clock.set(new Date(new Date(noon).getTime() + at * 1_000).toISOString());
      expect((await ana.status()).body).toEqual({ has_pending_request: true, request: { ...shown, remaining_seconds } });
    }
    await ana.confirm();
    const last_confirmed = { id, requested_stamps: 2, status: 'confirmed', confirmed_at: '2026-05-01T11:01:05.000000Z' };
    running.clock.advance({ seconds: 60 });
    expect((await ana.status()).body).toEqual({ ...none, last_confirmed });
    running.clock.advance({ seconds: 1 });
    expect((await ana.status()).body).toEqual(none);
  });

  test('shows a pending request rather than a confirmed one', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    await ana.confirm();
    const { request_id } = (await ana.request(3)).body;
    const { body } = await ana.status();
    expect(body).toMatchObject({ has_pending_request: true, request: { id: request_id, requested_stamps: 3 } });
    expect(body.last_confirmed).toBeUndefined();
    await ana.cancel(request_id);
    expect((await ana.status()).body.last_confirmed).toMatchObject({ requested_stamps: 1 });
  });

  test('is the same, after the same statement, for an unknown store, a dark store, and another customer’s, a cancelled and an expired request', async () => {
    const dark = await openShop(running, { ...withoutProof, goal: 10 });
    const [ana, ben, cat, dan] = await Promise.all(Array.from({ length: 4 }, () => atCounter(running, shop, member)));
    if (!ana || !ben || !cat || !dan) throw new Error('there are four customers');
    await dan.request(2, { store_id: dark.storeId });
    await running.consume(storeOf(dark.storeId, { version: 2, status: 'dark' }));
    await ben.cancel((await ben.request(2)).body.request_id);
    await cat.request(2);
    running.clock.advance({ seconds: 66 });
    const responses = [
      await counted(() => ana.status()),
      await counted(() => ana.status(`store_id=${randomUUID()}`)),
      await counted(() => ana.status('store_code=nowhere')),
      await counted(() => ben.status()),
      await counted(() => cat.status()),
      await counted(() => dan.status(`store_id=${dark.storeId}`)),
    ];
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set([JSON.stringify({ status: 200, body: none, statements: 1 })]),
    );
  });

  test('of a dark store shows no pending request', async () => {
    const dark = await openShop(running, { ...withoutProof, goal: 10 });
    const ana = await atCounter(running, dark, member);
    await ana.request(2);
    expect((await ana.status()).body.has_pending_request).toBe(true);
    await running.consume(storeOf(dark.storeId, { version: 2, status: 'dark' }));
    expect((await ana.status()).body).toEqual(none);
  });

  test('is refused without a store, without a token, and for the store’s owner', async () => {
    const ana = await atCounter(running, shop, member);
    expect(await refusalOf(ana.status(''))).toEqual([400, 'VALIDATION_FAILED']);
    const path = `multi-stamp/status?store_id=${shop.storeId}`;
    expect(await refusalOf(shop.get(path, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(shop.get(path, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
