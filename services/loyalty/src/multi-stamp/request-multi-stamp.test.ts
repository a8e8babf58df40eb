// covers: cancelMultiStamp, multiStampStatus

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOf, storeOf } from '../testing/events.ts';
import { addStaff, atCounter, type Member, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, openShop, ownerOf, type Shop, type TestResponse, withoutProof } from '../testing/shop.ts';
import { dropOldRequests, expireMultiStamps } from './entry-points.ts';

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

async function counted(work: () => Promise<TestResponse>) {
  running.statements.length = 0;
  const { status, body } = await work();
  return { status, body, statements: running.statements.length };
}

const statusIn = (id: string) =>
  running.service.database.maybeOneFirst(sql.type(z.object({ status: z.string() }))`
    select status from multi_stamp_request where id = ${id}`);

describe('a request', () => {
  test('waits a minute for staff', async () => {
    const ana = await atCounter(running, shop, member);
    const { status, body } = await ana.request(3);
    expect(status).toBe(200);
    expect(body).toEqual({
      request_id: expect.any(String),
      requested_stamps: 3,
      expires_at: '2026-05-01T11:01:00.000000Z',
      expires_in_seconds: 60,
    });
    expect((await ana.status()).body.request).toMatchObject({ id: body.request_id, expires_at: body.expires_at, remaining_seconds: 60 });
  });

  test('may name the store by its short code, in any case', async () => {
    const code = randomUUID().slice(0, 8);
    const here = await openShop(running, { ...withoutProof, goal: 10 }, { code });
    const ana = await atCounter(running, here, member);
    expect((await ana.request(2, { store_id: code.toUpperCase() })).status).toBe(200);
    expect((await ana.status(`store_code=${code.toUpperCase()}`)).body.has_pending_request).toBe(true);
    expect((await ana.status()).body.has_pending_request).toBe(true);
  });

  test('with the same Idempotency-Key is one request', async () => {
    const ana = await atCounter(running, shop, member);
    const send = () =>
      shop.post('multi-stamp/request', { store_id: shop.storeId, requested_stamps: 2 }, ana.token, { 'idempotency-key': ana.id });
    const first = await send();
    expect(await send()).toEqual(first);
  });
});

describe('a second request', () => {
  test('is refused while one is pending, also when ten come at once', async () => {
    const ana = await atCounter(running, shop, member);
    const responses = await Promise.all(Array.from({ length: 10 }, () => ana.request()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'MULTI_STAMP_PENDING')).toHaveLength(9);
  });

  test('is refused for 60 seconds, then replaces the first one', async () => {
    const ana = await atCounter(running, shop, member);
    const first = (await ana.request()).body.request_id;
    running.clock.advance({ seconds: 59 });
    expect(await refusalOf(ana.request())).toEqual([409, 'MULTI_STAMP_PENDING']);
    running.clock.advance({ seconds: 1 });
    expect((await ana.request()).status).toBe(200);
    expect(await statusIn(first)).toBe('expired');
  });

  test('by another customer, or at another store, is accepted', async () => {
    const there = await openShop(running, { ...withoutProof, goal: 10 });
    const [ana, ben] = [await atCounter(running, shop, member), await atCounter(running, shop, member)];
    const responses = [await ana.request(), await ben.request(), await ana.request(2, { store_id: there.storeId })];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is accepted once the first one is cancelled', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.cancel((await ana.request()).body.request_id);
    expect((await ana.request()).status).toBe(200);
  });
});

describe('a request is refused', () => {
  const refusalAt = async (programme: Parameters<typeof openShop>[1], dark = false, stamps = 6) => {
    const here = await openShop(running, { ...withoutProof, goal: 10, ...programme }, dark ? { status: 'dark' } : {});
    return await refusalOf((await atCounter(running, here, member)).request(stamps));
  };

  test('at an unknown store, by id and by code', async () => {
    const ana = await atCounter(running, shop, member);
    for (const store_id of [randomUUID(), 'no-such-store']) {
      expect(await refusalOf(ana.request(2, { store_id }))).toEqual([404, 'STORE_NOT_FOUND']);
    }
  });

  test('for the kill switch, then the plan, then a dark store, then the number of stamps', async () => {
    const off = { enabled: false, entitled: false };
    expect(await refusalAt({ multi_stamp: off }, true)).toEqual([403, 'MULTI_STAMP_DISABLED']);
    expect(await refusalAt({ enabled: false }, true)).toEqual([403, 'MULTI_STAMP_DISABLED']);
    expect(await refusalAt({ multi_stamp: { ...withoutProof.multi_stamp, entitled: false } }, true)).toEqual([403, 'PLAN_NOT_ENTITLED']);
    expect(await refusalAt({}, true)).toEqual([409, 'STORE_FROZEN']);
    expect(await refusalAt({ multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 1 } })).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('at a store without a programme', async () => {
    const storeId = randomUUID();
    await running.consume(storeOf(storeId));
    const ana = await atCounter(running, shop, member);
    expect(await refusalOf(ana.request(1, { store_id: storeId }))).toEqual([403, 'MULTI_STAMP_DISABLED']);
  });

  test('for no stamps, a fraction, more than the store allows, and more than its goal', async () => {
    const ana = await atCounter(running, shop, member);
    for (const stamps of [0, -1, 1.5, 6]) expect((await ana.request(stamps)).status).toBe(400);
    expect((await ana.request(5)).status).toBe(200);
    const little = await openShop(running, { ...withoutProof, goal: 3 });
    const ben = await atCounter(running, little, member);
    expect((await ben.request(4)).status).toBe(400);
    expect((await ben.request(3)).status).toBe(200);
  });

  test('above the monthly ceiling, and before a pending request is considered', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 5 } });
    const cy = await addStaff(running, here);
    const ana = await atCounter(running, here, cy);
    await ana.request(4);
    expect((await ana.confirm()).status).toBe(200);
    expect(await refusalOf(ana.request(2))).toEqual([409, 'MULTI_STAMP_MONTHLY_CEILING']);
    expect((await ana.request(1)).status).toBe(200);
    expect(await refusalOf(ana.request(2))).toEqual([409, 'MULTI_STAMP_MONTHLY_CEILING']);
    expect(await refusalOf(ana.request(1))).toEqual([409, 'MULTI_STAMP_PENDING']);
  });

  test('when the store’s plan has no such number of stamps left this month, before staff are asked', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, monthly_stamp_quota: 3 });
    await here.grant(randomUUID());
    const ana = await atCounter(running, here, await addStaff(running, here));
    expect(await refusalOf(ana.request(3))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    expect((await ana.status()).body).toEqual({ has_pending_request: false });
    expect((await ana.request(2)).status).toBe(200);
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 2 });
  });

  test('for the store’s owner, without a token, and with a forged token', async () => {
    const body = { store_id: shop.storeId, requested_stamps: 1 };
    expect(await refusalOf(shop.post('multi-stamp/request', body, await ownerOf(running, shop.storeId)))).toEqual([
      403,
      'WRONG_TOKEN_TYPE',
    ]);
    expect((await shop.post('multi-stamp/request', body, anonymous)).status).toBe(401);
    expect((await shop.post('multi-stamp/request', body, await running.issuer.bad.forged({ typ: 'customer' }))).status).toBe(401);
  });
});

describe('the monthly ceiling', () => {
  // New York sets its clocks back at 02:00 of the first of November 2026: the month begins at 04:00 UTC, not at 05:00.
  test.each([
    ['2026-11-01T03:59:59Z', '2026-11-01T04:00:00Z'],
    ['2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
  ])('by the store’s clock, when reached at %s, is lifted at %s and no second sooner', async (reached, lifted) => {
    const here = await openShop(
      running,
      { ...withoutProof, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 2 } },
      { time_zone: 'America/New_York' },
    );
    const cy = await addStaff(running, here);
    running.clock.set(reached);
    const ana = await atCounter(running, here, cy);
    await ana.request(2);
    expect((await ana.confirm()).status).toBe(200);
    running.clock.set(new Date(new Date(lifted).getTime() - 1_000).toISOString());
    const later = { ...ana, token: await running.issuer.token({ typ: 'customer', sub: ana.id }) };
    const request = (token: string) => here.post('multi-stamp/request', { store_id: here.storeId, requested_stamps: 1 }, token);
    expect(await refusalOf(request(later.token))).toEqual([409, 'MULTI_STAMP_MONTHLY_CEILING']);
    running.clock.set(lifted);
    expect((await request(later.token)).status).toBe(200);
  });
});

describe('as time passes', () => {
  test('a request that was not confirmed is marked as expired, once its grace is over', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request()).body;
    running.clock.advance({ seconds: 65 });
    await expireMultiStamps(running.service.context);
    expect(await statusIn(request_id)).toBe('pending');
    running.clock.advance({ seconds: 1 });
    await expireMultiStamps(running.service.context);
    expect(await statusIn(request_id)).toBe('expired');
  });

  test('a cancelled request is deleted after a week, a confirmed one is kept', async () => {
    const ana = await atCounter(running, shop, member);
    const cancelled = (await ana.request()).body.request_id;
    await ana.cancel(cancelled);
    const confirmed = (await ana.request()).body.request_id;
    await ana.confirm();
    running.clock.advance({ days: 7 });
    await dropOldRequests(running.service.context);
    expect(await statusIn(cancelled)).toBe('cancelled');
    running.clock.advance({ seconds: 1 });
    await dropOldRequests(running.service.context);
    expect([await statusIn(cancelled), await statusIn(confirmed)]).toEqual([null, 'confirmed']);
  });

  test('a kill switch that is turned on applies to the next request', async () => {
    const here = await openShop(running, withoutProof);
    const ana = await atCounter(running, here, member);
    expect((await ana.request(1)).status).toBe(200);
    await running.consume(programmeOf(here.storeId, { version: 2, multi_stamp: { ...withoutProof.multi_stamp, enabled: false } }));
    expect(await refusalOf((await atCounter(running, here, member)).request(1))).toEqual([403, 'MULTI_STAMP_DISABLED']);
  });
});

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
