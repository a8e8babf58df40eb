import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireMultiStamps } from '../jobs/expire-multi-stamps.ts';
import { type AtCounter, addStaff, atCounter, type Member, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, openShop, ownerOf, type Shop, withoutProof } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
let member: Member;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(
    running,
    { ...withoutProof, goal: 3, reward_title: 'A coffee' },
    { name: 'Corner', code: 'C1', branding: { logo_url: 'https://cdn.test/l.png', primary_color: '#112233', stamp_visual: 'bean' } },
  );
  member = await addStaff(running, shop);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

const stampsOf = async ({ id }: AtCounter, at = shop) => (await at.state(id)).body;
const Row = z.object({ status: z.string(), source: z.string(), n: z.number(), reason: z.string(), staff: z.string() });

describe('confirming a request', () => {
  test('makes all of its stamps at once, and the response shows the store', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(2)).body;
    const { status, body } = await ana.confirm({ request_id });
    expect(status).toBe(200);
    expect(body).toEqual({
      action: 'confirmed',
      stamps_created: 2,
      current_stamps: 2,
      goal: 3,
      vouchers_earned: 0,
      voucher_earned: false,
      voucher_results: [],
      store_name: 'Corner',
      store_code: 'C1',
      store_logo_url: 'https://cdn.test/l.png',
      primary_color: '#112233',
      secondary_color: null,
      background_type: 'color',
      background_image_url: null,
      background_color: null,
      stamp_visual: 'bean',
      store_template: null,
      idempotent: false,
    });
    const rows = await running.service.database.any(sql.type(Row)`
      select s.status, s.source, s.ordinal as n, s.approval_reason as reason, r.confirmed_by as staff
      from stamp s join multi_stamp_request r on r.id = s.request_id where s.customer_id = ${ana.id} order by s.ordinal`);
    expect(rows).toEqual([1, 2].map((n) => ({ status: 'approved', source: 'multi_stamp', n, reason: 'staff_card', staff: member.id })));
  });

  test('mints the voucher the stamps complete, keeps the others, and publishes every event in one transaction', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await shop.grant(ana.id);
    await ana.request(3);
    const { body } = await ana.confirm();
    const [voucher] = (await stampsOf(ana)).active_vouchers;
    expect(body).toMatchObject({ stamps_created: 3, current_stamps: 2, vouchers_earned: 1, voucher_earned: true });
    expect(body.voucher_results).toEqual([
      { voucher_id: voucher.id, voucher_code: voucher.code, reward_title: 'A coffee', expires_at: voucher.expires_at },
    ]);
    const events = (await shop.events(ana.id)).slice(3);
    expect(events.map(({ type }) => type)).toEqual([
      'stamp.approved',
      'stamp.approved',
      'stamp.approved',
      'voucher.minted',
      'multi_stamp.confirmed',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7, 8]);
    expect(events.at(-1)?.data).toMatchObject({ customer_id: ana.id, store_id: shop.storeId, stamps: 3, stamp_count: 2, goal: 3 });
    const transactions = await running.service.database.any(sql.type(z.object({ id: z.string() }))`
      select distinct transaction_id::text as id from outbox where aggregate_id = ${`${shop.storeId}:${ana.id}`} and aggregate_sequence > 3`);
    expect(transactions).toHaveLength(1);
    expect(JSON.stringify([events, running.lines])).not.toContain(voucher.code);
  });

  test('pays the card’s debt first', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await running.service.database.query(sql.type(z.object({}))`update card set debt = 2 where customer_id = ${ana.id}`);
    await ana.request(3);
    expect((await ana.confirm()).body).toMatchObject({ current_stamps: 2, vouchers_earned: 0 });
  });

  test('without an id confirms the newest pending request, up to five seconds after it expired', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.cancel((await ana.request(1)).body.request_id);
    await ana.request(2);
    running.clock.advance({ seconds: 65 });
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 2, idempotent: false });
  });

  test('for one stamp takes nine statements', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await ana.request(1);
    running.statements.length = 0;
    await ana.confirm();
    expect(running.statements).toHaveLength(9);
  });
});

describe('a repeated confirmation', () => {
  test('of twenty at once, one makes the stamps and all return the same result', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(3);
    const responses = await Promise.all(Array.from({ length: 20 }, () => ana.confirm()));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(responses.filter(({ body }) => !body.idempotent)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => JSON.stringify({ ...body, idempotent: null }))).size).toBe(1);
    expect(await stampsOf(ana)).toMatchObject({ stamp_count: 0, active_vouchers: [expect.anything()] });
    expect((await shop.events(ana.id)).filter(({ type }) => type === 'multi_stamp.confirmed')).toHaveLength(1);
  });

  test('within a minute returns the first result, with and without the id, and is refused later', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(3)).body;
    const first = (await ana.confirm()).body;
    await shop.grant(ana.id);
    running.clock.advance({ seconds: 60 });
    for (const named of [{ request_id }, {}]) expect((await ana.confirm(named)).body).toEqual({ ...first, idempotent: true });
    running.clock.advance({ seconds: 1 });
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([404, 'NO_PENDING_REQUEST']);
  });

  test('returns the first result despite a newer cancelled request, but confirms a newer pending one', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    await ana.confirm();
    await ana.cancel((await ana.request(1)).body.request_id);
    expect((await ana.confirm()).body).toMatchObject({ idempotent: true });
    await ana.request(1);
    expect((await ana.confirm()).body).toMatchObject({ idempotent: false, current_stamps: 2 });
  });

  test('with the same Idempotency-Key returns the first response, byte for byte', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    const key = { 'idempotency-key': randomUUID() };
    const first = await ana.confirm({}, key);
    running.clock.advance({ minutes: 5 });
    expect(await ana.confirm({}, key)).toEqual(first);
  });
});

describe('a confirmation is refused', () => {
  test('without a pending request, for another customer’s request, and for a cancelled one', async () => {
    const [ana, ben] = [await atCounter(running, shop, member), await atCounter(running, shop, member)];
    expect(await refusalOf(ana.confirm())).toEqual([404, 'NO_PENDING_REQUEST']);
    const { request_id } = (await ben.request(1)).body;
    expect(await refusalOf(ana.confirm({ request_id }))).toEqual([404, 'NO_PENDING_REQUEST']);
    await ben.cancel(request_id);
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ben.confirm(named))).toEqual([404, 'NO_PENDING_REQUEST']);
    expect(await shop.events(ana.id)).toEqual([]);
  });

  test('for an expired request, before and after the job has marked it, with and without its id', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(1)).body;
    running.clock.advance({ seconds: 66 });
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    await expireMultiStamps(running.service.context);
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    running.clock.advance({ minutes: 5 });
    expect(await refusalOf(ana.confirm({ request_id }))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    expect(await refusalOf(ana.confirm())).toEqual([404, 'NO_PENDING_REQUEST']);
  });

  test('for a request of another store, and at an unknown store', async () => {
    const there = await openShop(running, withoutProof);
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(1)).body;
    const card = (await addStaff(running, there)).card;
    const elsewhere = { store_code: there.storeId, staff_secret: card };
    expect(await refusalOf(ana.confirm({ ...elsewhere, request_id }))).toEqual([404, 'NO_PENDING_REQUEST']);
    expect(await refusalOf(ana.confirm(elsewhere))).toEqual([404, 'NO_PENDING_REQUEST']);
    for (const store_code of ['nowhere', randomUUID()])
      expect(await refusalOf(ana.confirm({ store_code }))).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('for the store’s owner, and without a token', async () => {
    const body = { store_code: shop.storeId, staff_secret: member.card };
    expect(await refusalOf(shop.post('multi-stamp/confirm', body, await ownerOf(running, shop.storeId)))).toEqual([
      403,
      'WRONG_TOKEN_TYPE',
    ]);
    expect(await refusalOf(shop.post('multi-stamp/confirm', body, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
  });
});
