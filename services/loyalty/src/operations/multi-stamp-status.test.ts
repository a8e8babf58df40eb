import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storeOf } from '../testing/events.ts';
import { atCounter, hire, type Member, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type Answered, nobody, openShop, ownerOf, type Shop } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
const none = { has_pending_request: false };
let running: Running;
let shop: Shop;
let member: Member;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { goal: 10 });
  member = await hire(running, shop);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

/** The answer, and the statements it took beside those of schedules and relay. */
async function counted(work: () => Promise<Answered>) {
  running.statements.length = 0;
  const { status, body } = await work();
  return { status, body, statements: running.statements.filter((text) => /multi_stamp_request|from store/.test(text)).length };
}

describe('status', () => {
  test('shows what waits, to the end of its grace; what was confirmed, for a minute', async () => {
    const ana = await atCounter(running, shop, member);
    expect((await ana.status()).body).toEqual(none);
    const { request_id: id, expires_at } = (await ana.ask(2)).body;
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

  test('shows what waits rather than what was confirmed', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.ask(1);
    await ana.confirm();
    const { request_id } = (await ana.ask(3)).body;
    const { body } = await ana.status();
    expect(body).toMatchObject({ has_pending_request: true, request: { id: request_id, requested_stamps: 3 } });
    expect(body.last_confirmed).toBeUndefined();
    await ana.cancel(request_id);
    expect((await ana.status()).body.last_confirmed).toMatchObject({ requested_stamps: 1 });
  });

  test('is the same, after the same work, for an unknown store, a dark one, another’s request, a cancelled and a lapsed one', async () => {
    const dark = await openShop(running, { goal: 10 });
    const [ana, ben, cat, dan] = await Promise.all(Array.from({ length: 4 }, () => atCounter(running, shop, member)));
    if (!ana || !ben || !cat || !dan) throw new Error('four came');
    await dan.ask(2, { store_id: dark.storeId });
    await running.consume(storeOf(dark.storeId, { version: 2, status: 'dark' }));
    await ben.cancel((await ben.ask(2)).body.request_id);
    await cat.ask(2);
    running.clock.advance({ seconds: 66 });
    const responses = [
      await counted(() => ana.status()),
      await counted(() => ana.status(`store_id=${randomUUID()}`)),
      await counted(() => ana.status('store_code=nowhere')),
      await counted(() => ben.status()),
      await counted(() => cat.status()),
      await counted(() => dan.status(`store_id=${dark.storeId}`)),
    ];
    expect(new Set(responses.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, body: none, statements: 1 })]),
    );
  });

  test('a dark store shows none of what waits there', async () => {
    const dark = await openShop(running, { goal: 10 });
    const ana = await atCounter(running, dark, member);
    await ana.ask(2);
    expect((await ana.status()).body.has_pending_request).toBe(true);
    await running.consume(storeOf(dark.storeId, { version: 2, status: 'dark' }));
    expect((await ana.status()).body).toEqual(none);
  });

  test('asks for a store, and for its customer', async () => {
    const ana = await atCounter(running, shop, member);
    expect(await refusalOf(ana.status(''))).toEqual([400, 'VALIDATION_FAILED']);
    const path = `multi-stamp/status?store_id=${shop.storeId}`;
    expect(await refusalOf(shop.get(path, nobody))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(shop.get(path, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('cancel', () => {
  test('ends what waits; again, it says so', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.ask()).body;
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'pending' });
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'cancelled' });
    expect((await ana.status()).body).toEqual(none);
  });

  test('undoes nothing that was confirmed', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.ask(2)).body;
    await ana.confirm();
    expect((await ana.cancel(request_id)).body).toEqual({ cancelled: true, previous_status: 'confirmed' });
    expect((await shop.state(ana.id)).body.stamp_count).toBe(2);
    expect((await ana.status()).body.last_confirmed.id).toBe(request_id);
  });

  test('says of one that lapsed that it did, once its grace is over', async () => {
    const [ana, ben] = [await atCounter(running, shop, member), await atCounter(running, shop, member)];
    const [inTime, late] = [(await ana.ask()).body.request_id, (await ben.ask()).body.request_id];
    running.clock.advance({ seconds: 65 });
    expect((await ana.cancel(inTime)).body.previous_status).toBe('pending');
    running.clock.advance({ seconds: 1 });
    for (let twice = 0; twice < 2; twice += 1) expect((await ben.cancel(late)).body.previous_status).toBe('expired');
    expect((await ben.ask()).status).toBe(200);
  });

  test('tells who does not own it nothing: missing, waiting, cancelled, confirmed and lapsed are one answer, after one statement', async () => {
    const eve = await atCounter(running, shop, member);
    const [waiting, cancelled, confirmed, lapsed] = await Promise.all(Array.from({ length: 4 }, () => atCounter(running, shop, member)));
    if (!waiting || !cancelled || !confirmed || !lapsed) throw new Error('four came');
    const ids = [randomUUID(), (await lapsed.ask()).body.request_id];
    running.clock.advance({ seconds: 66 });
    for (const each of [waiting, cancelled, confirmed]) ids.push((await each.ask()).body.request_id);
    await cancelled.cancel(ids[3]);
    await confirmed.confirm();
    for (const id of ids) expect(await counted(() => eve.cancel(id))).toEqual({ status: 200, body: { cancelled: true }, statements: 1 });
    expect((await counted(() => cancelled.cancel(ids[3]))).statements).toBe(1);
    expect((await waiting.status()).body.has_pending_request).toBe(true);
    expect((await waiting.confirm()).body.idempotent).toBe(false);
  });

  test('of ten at once one finds it waiting', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.ask()).body;
    const responses = await Promise.all(Array.from({ length: 10 }, () => ana.cancel(request_id)));
    expect(responses.filter(({ body }) => body.previous_status === 'pending')).toHaveLength(1);
    expect(responses.filter(({ body }) => body.previous_status === 'cancelled')).toHaveLength(9);
  });

  test('asks for an id, and for its customer', async () => {
    const ana = await atCounter(running, shop, member);
    expect(await refusalOf(ana.cancel('one'))).toEqual([400, 'VALIDATION_FAILED']);
    const body = { request_id: randomUUID() };
    expect(await refusalOf(shop.post('multi-stamp/cancel', body, nobody))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(shop.post('multi-stamp/cancel', body, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});
