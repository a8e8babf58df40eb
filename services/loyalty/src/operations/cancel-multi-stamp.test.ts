import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

describe('a cancellation', () => {
  test('cancels a pending request, and a repeat returns that it is cancelled', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request()).body;
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'pending' });
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'cancelled' });
    expect((await ana.status()).body).toEqual(none);
  });

  test('leaves a confirmed request as it is', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(2)).body;
    await ana.confirm();
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'confirmed' });
    expect((await shop.state(ana.id)).body.stamp_count).toBe(2);
    expect((await ana.status()).body.last_confirmed.id).toBe(request_id);
  });

  test('of an expired request returns so, once its grace is over', async () => {
    const [ana, ben] = [await atCounter(running, shop, member), await atCounter(running, shop, member)];
    const [inTime, late] = [(await ana.request()).body.request_id, (await ben.request()).body.request_id];
    running.clock.advance({ seconds: 65 });
    expect((await ana.cancel(inTime)).body.previous_status).toBe('pending');
    running.clock.advance({ seconds: 1 });
    for (let twice = 0; twice < 2; twice += 1) expect((await ben.cancel(late)).body.previous_status).toBe('expired');
    expect((await ben.request()).status).toBe(200);
  });

  test('of another customer’s request returns the same as of a missing one, after one statement, whatever its status', async () => {
    const eve = await atCounter(running, shop, member);
    const [waiting, cancelled, confirmed, lapsed] = await Promise.all(Array.from({ length: 4 }, () => atCounter(running, shop, member)));
    if (!waiting || !cancelled || !confirmed || !lapsed) throw new Error('there are four customers');
    const ids = [randomUUID(), (await lapsed.request()).body.request_id];
    running.clock.advance({ seconds: 66 });
    for (const each of [waiting, cancelled, confirmed]) ids.push((await each.request()).body.request_id);
    await cancelled.cancel(ids[3]);
    await confirmed.confirm();
    for (const id of ids) expect(await counted(() => eve.cancel(id))).toEqual({ status: 200, body: { cancelled: true }, statements: 1 });
    expect((await counted(() => cancelled.cancel(ids[3]))).statements).toBe(1);
    expect((await waiting.status()).body.has_pending_request).toBe(true);
    expect((await waiting.confirm()).body.idempotent).toBe(false);
  });

  test('of ten at once, one finds the request pending', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request()).body;
    const responses = await Promise.all(Array.from({ length: 10 }, () => ana.cancel(request_id)));
    expect(responses.filter(({ body }) => body.previous_status === 'pending')).toHaveLength(1);
    expect(responses.filter(({ body }) => body.previous_status === 'cancelled')).toHaveLength(9);
  });

  test('is refused without a valid id, without a token, and for the store’s owner', async () => {
    const ana = await atCounter(running, shop, member);
    expect(await refusalOf(ana.cancel('one'))).toEqual([400, 'VALIDATION_FAILED']);
    const body = { request_id: randomUUID() };
    expect(await refusalOf(shop.post('multi-stamp/cancel', body, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(shop.post('multi-stamp/cancel', body, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
