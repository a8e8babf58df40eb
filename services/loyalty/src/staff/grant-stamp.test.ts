// covers: undoStamp

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { programmeOf, storeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, customerToken, openShop, ownerOf, type Shop } from '../testing/shop.ts';

let running: Running;

let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});

afterAll(async () => await running[Symbol.asyncDispose]());

const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status).sort();

describe('a granted stamp', () => {
  test('counts at once, and the last one returns the voucher’s code', async () => {
    const customer = randomUUID();
    const first = await shop.grant(customer);
    expect(first).toMatchObject({ status: 200, body: { current_stamps: 1, goal: 3, voucher_earned: false, voucher_code: null } });
    await shop.grant(customer);
    const { body } = await shop.grant(customer);
    expect(body).toMatchObject({ current_stamps: 0, voucher_earned: true, voucher_code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{10}$/) });
    const [voucher] = (await shop.state(customer)).body.active_vouchers;
    expect(voucher).toMatchObject({ code: body.voucher_code, reward_title: 'A coffee', voucher_type: 'reward' });
    const events = await shop.events(customer);
    expect(events.map(({ type }) => type)).toEqual([
      'customer.seen',
      'stamp.approved',
      'stamp.approved',
      'stamp.approved',
      'voucher.minted',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  test('is not lost among thirty concurrent ones, which mint a voucher for each goal', async () => {
    const roomy = await openShop(running, { goal: 7, daily_stamp_limit: 100 });
    const customer = randomUUID();
    const responses = await Promise.all(Array.from({ length: 30 }, () => roomy.grant(customer)));
    expect(responses.filter(({ body }) => body.voucher_earned)).toHaveLength(4);
    const { body } = await roomy.state(customer);
    expect(body).toMatchObject({ stamp_count: 2 });
    expect(body.active_vouchers).toHaveLength(4);
    const events = await roomy.events(customer);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'customer.seen')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'voucher.minted')).toHaveLength(4);
  });

  test('reaches a goal that was lowered meanwhile, and the stamps left over stay', async () => {
    const lowered = await openShop(running, { goal: 10 });
    const customer = randomUUID();
    for (let count = 0; count < 4; count += 1) await lowered.grant(customer);
    await running.consume(programmeOf(lowered.storeId, { goal: 2, version: 2 }));
    expect((await lowered.grant(customer)).body).toMatchObject({ current_stamps: 1, goal: 2, voucher_earned: true });
    expect((await lowered.state(customer)).body.active_vouchers).toHaveLength(2);
  });

  test('takes four statements', async () => {
    const customer = randomUUID();
    await shop.grant(customer);
    running.statements.length = 0;
    await shop.grant(customer);
    expect(running.statements).toHaveLength(4);
  });
});

describe('a repeated grant', () => {
  test('with the same key returns the first stamp, also when both are concurrent', async () => {
    const customer = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => shop.grant(customer, `key-${customer}`)));
    expect(new Set(responses.map(({ body }) => body.stamp_id)).size).toBe(1);
    expect(responses.map(({ body }) => body.idempotent).sort()).toEqual([false, true, true]);
    expect((await shop.state(customer)).body.stamp_count).toBe(1);
  });

  test('with the same key returns the voucher that the first one completed', async () => {
    const customer = randomUUID();
    await shop.grant(customer);
    await shop.grant(customer);
    const first = await shop.grant(customer, `last-${customer}`);
    const repeat = await shop.grant(customer, `last-${customer}`);
    expect(repeat.body).toEqual({ ...first.body, idempotent: true });
  });

  test('with the key of another customer is refused, also when both are concurrent', async () => {
    const key = randomUUID();
    const responses = await Promise.all([shop.grant(randomUUID(), key), shop.grant(randomUUID(), key)]);
    expect(statuses(responses)).toEqual([200, 422]);
    expect(responses.find(({ status }) => status === 422)?.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('the limits of grants', () => {
  test('apply per customer and day, which begins at midnight in the store’s time zone', async () => {
    const shopInSydney = await openShop(running, { daily_stamp_limit: 2 }, { time_zone: 'Australia/Sydney' });
    const customer = randomUUID();
    running.clock.set('2026-05-01T13:59:00Z');
    expect(statuses(await Promise.all([1, 2, 3].map(() => shopInSydney.grant(customer))))).toEqual([200, 200, 409]);
    const refused = await shopInSydney.grant(customer);
    expect(refused.body.error.code).toBe('DAILY_LIMIT_REACHED');
    expect((await shopInSydney.grant(randomUUID())).status).toBe(200);
    running.clock.set('2026-05-01T14:00:00Z');
    expect((await shopInSydney.grant(customer)).status).toBe(200);
  });

  test('apply per store and month, over all customers and under concurrency, by the store’s clock', async () => {
    running.clock.set('2026-05-31T22:59:00Z');
    const small = await openShop(running, { monthly_stamp_quota: 4 });
    const responses = await Promise.all(Array.from({ length: 8 }, () => small.grant(randomUUID())));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(responses.find(({ status }) => status !== 200)?.body.error.code).toBe('MONTHLY_LIMIT_REACHED');
    running.clock.set('2026-05-31T23:00:00Z');
    expect((await small.grant(randomUUID())).status).toBe(200);
  });

  test('count pending stamps toward the day, also on a day of 23 hours', async () => {
    const shopInLondon = await openShop(running, { daily_stamp_limit: 2 });
    const customer = randomUUID();
    const tap = (tap_timestamp: string) => ({ receipt_id: tap_timestamp, store_code: shopInLondon.storeId, tap_timestamp });
    running.clock.set('2026-03-29T22:59:00Z');
    const sync = { stamps: [tap('2026-03-28T23:59:59Z'), tap('2026-03-29T00:00:00Z')] };
    const { body } = await shopInLondon.post('stamps/sync-offline', sync, await customerToken(running, customer));
    expect(body.results).toMatchObject([{ stamp_status: 'pending' }, { stamp_status: 'pending' }]);
    expect((await shopInLondon.grant(customer)).status).toBe(200);
    expect((await shopInLondon.grant(customer)).body.error?.code).toBe('DAILY_LIMIT_REACHED');
    running.clock.set('2026-03-29T23:00:00Z');
    expect((await shopInLondon.grant(customer)).status).toBe(200);
  });

  test('follow a quota that changes during the month', async () => {
    running.clock.set('2026-05-15T11:00:00Z');
    const changing = await openShop(running, { monthly_stamp_quota: 2 });
    const grants = async (count: number) => {
      const responses = [];
      for (let n = 0; n < count; n += 1) responses.push((await changing.grant(randomUUID())).status);
      return responses;
    };
    expect(await grants(3)).toEqual([200, 200, 409]);
    await running.consume(programmeOf(changing.storeId, { monthly_stamp_quota: 3, version: 2 }));
    expect(await grants(2)).toEqual([200, 409]);
    await running.consume(programmeOf(changing.storeId, { monthly_stamp_quota: 1, version: 3 }));
    expect(await grants(1)).toEqual([409]);
    await running.consume(programmeOf(changing.storeId, { monthly_stamp_quota: null, version: 4 }));
    expect(await grants(2)).toEqual([200, 200]);
  });

  test('do not count the stamps of orders', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 1, daily_stamp_limit: 1 });
    const customer = randomUUID();
    await small.pay(customer);
    expect((await small.grant(customer)).status).toBe(200);
  });
});

describe('a grant is refused', () => {
  const grant = (storeId: string, token: string) => shop.post('stamps', { store_id: storeId, customer_id: randomUUID() }, token);

  test('at an unknown store, without a programme, and with the programme off', async () => {
    const unknown = randomUUID();
    expect((await grant(unknown, await ownerOf(running, unknown))).body.error.code).toBe('STORE_NOT_FOUND');
    const bare = randomUUID();
    await running.consume(storeOf(bare));
    expect((await grant(bare, await ownerOf(running, bare))).body.error.code).toBe('LOYALTY_DISABLED');
    const off = await openShop(running, { enabled: false });
    expect((await off.grant(randomUUID())).body.error.code).toBe('LOYALTY_DISABLED');
  });

  test('for bad input, for a customer, and for the owner of another store', async () => {
    expect((await shop.post('stamps', { store_id: shop.storeId })).status).toBe(400);
    expect((await grant(shop.storeId, await running.issuer.token({ typ: 'customer' }))).status).toBe(403);
    expect((await grant(shop.storeId, await ownerOf(running, randomUUID()))).body.error.code).toBe('STORE_FORBIDDEN');
  });
});

describe('undoing a granted stamp', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 2 });
  });
  const types = async (customer: string) => (await shop.events(customer)).map(({ type }) => type);

  const undo = (customer_id: string, stamp_id: string) => shop.post('stamps/undo', { store_id: shop.storeId, customer_id, stamp_id });

  test('happens once and is published once', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    const responses = await Promise.all([1, 2, 3].map(() => undo(customer, body.stamp_id)));
    for (const response of responses) expect(response).toMatchObject({ status: 200, body: { undone: true, current_stamps: 0 } });
    expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved', 'stamp.undone']);
  });

  test('takes three statements', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    running.statements.length = 0;
    await undo(customer, body.stamp_id);
    expect(running.statements).toHaveLength(3);
  });

  test('is refused for a used stamp, a stamp of another source, and another customer’s', async () => {
    const customer = randomUUID();
    const first = await shop.grant(customer);
    expect((await undo(randomUUID(), first.body.stamp_id)).body.error.code).toBe('STAMP_NOT_FOUND');
    await shop.grant(customer);
    expect((await undo(customer, first.body.stamp_id)).body.error.code).toBe('STAMP_ALREADY_USED');
    expect((await undo(customer, await addPendingStamp(running, shop, customer))).body.error.code).toBe('STAMP_NOT_UNDOABLE');
  });
});
