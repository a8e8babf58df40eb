import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, type Shop, withoutProof } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, withoutProof);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

const customer = async () => {
  const id = randomUUID();
  return { id, token: await customerToken(running, id) };
};
const mint = async (token: string = anonymous, at = shop, more: object = {}): Promise<string> =>
  (await at.post('stamp-codes', { store_id: at.storeId, ttl_seconds: 60, ...more }, token)).body.code;
const redeem = (code: string, token: string = anonymous, more: object = {}) => shop.post('stamp-codes/redeem', { code, ...more }, token);
const refusal = async (response: ReturnType<typeof redeem>) => {
  const { status, body } = await response;
  return [status, body.error?.code];
};

// STORE_NOT_FOUND has no test: it needs a store that is deleted during a redemption, and stores are never deleted.
describe('a redemption is refused', () => {
  test('for an unknown code', async () => {
    for (const code of ['00000000', 'hello', 'STAMP-', '7K2M9QXU']) expect(await refusal(redeem(code))).toEqual([404, 'CODE_NOT_FOUND']);
    expect((await redeem('   ')).status).toBe(400);
  });

  test('for an expired code, from the second it expires', async () => {
    const code = await mint();
    running.clock.set('2026-05-01T11:01:00Z');
    expect(await refusal(redeem(code))).toEqual([410, 'CODE_EXPIRED']);
    running.clock.set('2026-05-01T11:00:59.999Z');
    expect((await redeem(code)).status).toBe(200);
  });

  test('for a code of another store than expected, which stays unused', async () => {
    const ana = await customer();
    const code = await mint(ana.token);
    const elsewhere = { expected_store_id: randomUUID() };
    expect(await refusal(redeem(code, ana.token, elsewhere))).toEqual([409, 'CODE_WRONG_STORE']);
    running.clock.advance({ minutes: 2 });
    expect(await refusal(redeem(code, ana.token, elsewhere))).toEqual([409, 'CODE_WRONG_STORE']);
    running.clock.set(noon);
    expect((await redeem(code, ana.token)).body.already_redeemed).toBe(false);
    expect(await refusal(redeem(code, ana.token, elsewhere))).toEqual([409, 'CODE_WRONG_STORE']);
  });

  test('above the daily limit or the monthly quota, and the code stays unused', async () => {
    const few = await openShop(running, { ...withoutProof, daily_stamp_limit: 1 });
    const ana = await customer();
    await redeem(await mint(anonymous, few), ana.token);
    const code = await mint(anonymous, few);
    expect(await refusal(redeem(code, ana.token))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    expect((await redeem(code, (await customer()).token)).status).toBe(200);

    const small = await openShop(running, { ...withoutProof, monthly_stamp_quota: 1 });
    await redeem(await mint(anonymous, small), ana.token);
    const over = await mint(anonymous, small);
    expect(await refusal(redeem(over, ana.token))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await running.consume(programmeOf(small.storeId, { ...withoutProof, monthly_stamp_quota: 2, version: 2 }));
    expect((await redeem(over, ana.token)).body).toMatchObject({ already_redeemed: false, stamp_status: 'approved' });
  });

  test('where the programme was turned off meanwhile, also for guests', async () => {
    const here = await openShop(running, withoutProof);
    const codes = [await mint(anonymous, here), await mint(anonymous, here)] as const;
    await running.consume(programmeOf(here.storeId, { enabled: false, version: 2 }));
    expect(await refusal(redeem(codes[0]))).toEqual([409, 'LOYALTY_DISABLED']);
    expect(await refusal(redeem(codes[1], (await customer()).token))).toEqual([409, 'LOYALTY_DISABLED']);
  });

  test('above the monthly quota when many codes are redeemed at once', async () => {
    const small = await openShop(running, { ...withoutProof, monthly_stamp_quota: 3 });
    const codes = await Promise.all(Array.from({ length: 8 }, () => mint(anonymous, small)));
    const responses = await Promise.all(codes.map(async (code) => redeem(code, (await customer()).token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});
