import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, nobody, openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

const customer = async () => {
  const id = randomUUID();
  return { id, token: await customerToken(running, id) };
};
const mint = async (token: string = nobody, at = shop, more: object = {}): Promise<string> =>
  (await at.post('stamp-codes', { store_id: at.storeId, ttl_seconds: 60, ...more }, token)).body.code;
const redeem = (code: string, token: string = nobody, more: object = {}) => shop.post('stamp-codes/redeem', { code, ...more }, token);
const refusal = async (answered: ReturnType<typeof redeem>) => {
  const { status, body } = await answered;
  return [status, body.error?.code];
};
const types = async (customerId: string, at = shop) => (await at.told(customerId)).map(({ type }) => type);

describe('works', () => {
  test('a code gives its stamp to who is signed in, typed as people type', async () => {
    const ana = await customer();
    const code = await mint();
    const { status, body } = await redeem(`  stamp-${code.toLowerCase()} `, ana.token, { expected_store_id: shop.storeId });
    expect(status).toBe(200);
    expect(body).toEqual({
      stamp_id: expect.any(String),
      store_id: shop.storeId,
      store_code: 'S1',
      store_name: 'Corner',
      approval_reason: 'auto',
      stamp_status: 'approved',
      counts_now: true,
      current_stamps: 1,
      goal: 3,
      voucher_earned: false,
      voucher_id: null,
      voucher_code: null,
      already_redeemed: false,
      message: expect.any(String),
    });
    expect(await types(ana.id)).toEqual(['customer.seen', 'stamp.approved']);
  });

  test('the last one brings the voucher, and a repeat shows it again', async () => {
    const ana = await customer();
    await redeem(await mint(), ana.token);
    await redeem(await mint(), ana.token);
    const code = await mint();
    const { body } = await redeem(code, ana.token);
    const [voucher] = (await shop.state(ana.id)).body.active_vouchers;
    expect(body).toMatchObject({ current_stamps: 0, voucher_earned: true, voucher_id: voucher.id, voucher_code: voucher.code });
    const repeat = await redeem(code, ana.token);
    expect(repeat.body).toEqual({ ...body, already_redeemed: true, message: expect.any(String) });
    expect((await shop.told(ana.id)).at(-1)?.data.code_tail).toBe(voucher.code.slice(-4));
  });

  test('nobody signed in, it counts for whom it was minted, whose voucher’s code is not shown', async () => {
    const little = await openShop(running, { goal: 1 });
    const ana = await customer();
    const code = await mint(ana.token, little);
    const { body } = await redeem(code);
    expect(body).toMatchObject({ stamp_status: 'approved', voucher_earned: true, voucher_id: null, voucher_code: null });
    expect((await redeem(code)).body).toMatchObject({ already_redeemed: true, voucher_id: null, voucher_code: null });
    expect((await redeem(code, ana.token)).body).toMatchObject({ already_redeemed: true, voucher_code: expect.any(String) });
    expect((await little.state(ana.id)).body.active_vouchers).toHaveLength(1);
  });

  test('in seven statements', async () => {
    const ana = await customer();
    await redeem(await mint(), ana.token);
    const code = await mint();
    running.statements.length = 0;
    await redeem(code, ana.token);
    expect(running.statements.filter((text) => /card|stamp|programme|outbox \(/.test(text))).toHaveLength(7);
  });
});

describe('waits for approval', () => {
  test('a guest’s stamp, which nobody collected; the guest’s repeat is told so, and nobody else', async () => {
    const code = await mint();
    const { body } = await redeem(code);
    expect(body).toMatchObject({ stamp_status: 'pending', approval_reason: 'guest', counts_now: false, current_stamps: 0, goal: 3 });
    expect((await redeem(code)).body).toMatchObject({ stamp_id: body.stamp_id, already_redeemed: true, stamp_status: 'pending' });
    expect(await refusal(redeem(code, (await customer()).token))).toEqual([409, 'CODE_ALREADY_USED']);
    const listed = (await shop.get(`pending-stamps?store_id=${shop.storeId}`)).body.stamps;
    expect(listed).toContainEqual(expect.objectContaining({ id: body.stamp_id, customer_id: null, source: 'web' }));
  });

  test('one where staff decide, and counts when they say so', async () => {
    const manual = await openShop(running, { approval_mode: 'manual', goal: 1 });
    const ana = await customer();
    const code = await mint(ana.token, manual);
    const { body } = await redeem(code, ana.token);
    expect(body).toMatchObject({ stamp_status: 'pending', approval_reason: 'manual_approval', counts_now: false, current_stamps: 0 });
    expect(await types(ana.id, manual)).toEqual(['customer.seen', 'stamp.pending']);
    await manual.post('stamps/review', { store_id: manual.storeId, stamp_id: body.stamp_id, action: 'approve' });
    expect((await redeem(code, ana.token)).body).toMatchObject({ stamp_status: 'approved', counts_now: true, voucher_earned: true });
  });

  test('not for one whose tap proved presence', async () => {
    const manual = await openShop(running, { approval_mode: 'manual', tags: [{ uid: '04000000000001' }] });
    const ana = await customer();
    const code = await mint(nobody, manual, fieldsOf(tapOf('04000000000001', 1)));
    expect((await redeem(code, ana.token)).body).toMatchObject({ stamp_status: 'approved', approval_reason: 'nfc_proof' });
  });

  test('one by a code minted for another', async () => {
    const code = await mint((await customer()).token);
    expect((await redeem(code, (await customer()).token)).body).toMatchObject({
      stamp_status: 'pending',
      approval_reason: 'minted_for_another',
    });
  });
});

describe('once', () => {
  test('twenty customers at one code: one stamp, and the others leave no trace', async () => {
    const code = await mint();
    const customers = await Promise.all(Array.from({ length: 20 }, customer));
    const responses = await Promise.all(customers.map(({ token }) => redeem(code, token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'CODE_ALREADY_USED')).toHaveLength(19);
    const told = await Promise.all(customers.map(({ id }) => types(id)));
    expect(told.flat().sort()).toEqual(['customer.seen', 'stamp.approved']);
  });

  test('one customer ten times at once: one stamp, shown ten times', async () => {
    const ana = await customer();
    const code = await mint(ana.token);
    const responses = await Promise.all(Array.from({ length: 10 }, () => redeem(code, ana.token)));
    expect(new Set(responses.map(({ body }) => body.stamp_id)).size).toBe(1);
    expect(responses.filter(({ body }) => !body.already_redeemed)).toHaveLength(1);
    expect((await shop.state(ana.id)).body.stamp_count).toBe(1);
  });

  test('also after its end the repeat is answered', async () => {
    const ana = await customer();
    const code = await mint(ana.token);
    await redeem(code, ana.token);
    running.clock.advance({ minutes: 5 });
    expect((await redeem(code, ana.token)).body).toMatchObject({ already_redeemed: true, current_stamps: 1 });
    expect(await refusal(redeem(code, (await customer()).token))).toEqual([409, 'CODE_ALREADY_USED']);
  });
});

describe('refuses', () => {
  test('what is no code of ours', async () => {
    for (const code of ['00000000', 'hello', 'STAMP-', '7K2M9QXU']) expect(await refusal(redeem(code))).toEqual([404, 'CODE_NOT_FOUND']);
    expect((await redeem('   ')).status).toBe(400);
  });

  test('one that has ended, at the second it does', async () => {
    const code = await mint();
    running.clock.set('2026-05-01T11:01:00Z');
    expect(await refusal(redeem(code))).toEqual([410, 'CODE_EXPIRED']);
    running.clock.set('2026-05-01T11:00:59.999Z');
    expect((await redeem(code)).status).toBe(200);
  });

  test('one of another store, ended or used or not, which stays unused', async () => {
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

  test('beyond the customer’s day or the store’s month, and the code stays good', async () => {
    const few = await openShop(running, { daily_stamp_limit: 1 });
    const ana = await customer();
    await redeem(await mint(nobody, few), ana.token);
    const code = await mint(nobody, few);
    expect(await refusal(redeem(code, ana.token))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    expect((await redeem(code, (await customer()).token)).status).toBe(200);

    const small = await openShop(running, { monthly_stamp_quota: 1 });
    await redeem(await mint(nobody, small), ana.token);
    const over = await mint(nobody, small);
    expect(await refusal(redeem(over, ana.token))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await running.consume(programmeOf(small.storeId, { monthly_stamp_quota: 2, version: 2 }));
    expect((await redeem(over, ana.token)).body).toMatchObject({ already_redeemed: false, stamp_status: 'approved' });
  });

  test('where the programme was switched off meanwhile, guests too', async () => {
    const here = await openShop(running);
    const codes = [await mint(nobody, here), await mint(nobody, here)] as const;
    await running.consume(programmeOf(here.storeId, { enabled: false, version: 2 }));
    expect(await refusal(redeem(codes[0]))).toEqual([409, 'LOYALTY_DISABLED']);
    expect(await refusal(redeem(codes[1], (await customer()).token))).toEqual([409, 'LOYALTY_DISABLED']);
  });

  test('no more than a limit when many codes come at once', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 3 });
    const codes = await Promise.all(Array.from({ length: 8 }, () => mint(nobody, small)));
    const responses = await Promise.all(codes.map(async (code) => redeem(code, (await customer()).token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});
