import { randomUUID } from 'node:crypto';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const types = async (customer: string, at = shop) => (await at.told(customer)).map(({ type }) => type);

/** A stamp that waits for approval, as a tap without proof leaves one. */
async function waiting(customer: string | null, at = shop): Promise<string> {
  const id = randomUUID();
  await running.service.database.query(sql.type(z.object({}))`
    insert into stamp (id, store_id, customer_id, status, source, approval_reason, created_at)
    values (${id}, ${at.storeId}, ${customer}, 'pending', 'nfc', 'no_proof', ${running.clock.now().toISOString()})`);
  return id;
}
const resolve = (stamp_id: string, action: string, at = shop) =>
  at.post('pending-stamps/resolve', { store_id: at.storeId, stamp_id, action });
const review = (stamp_id: string, action: string, at = shop) => at.post('stamps/review', { store_id: at.storeId, stamp_id, action });

describe('a voucher is redeemed at the counter', () => {
  const redeem = (customer_id: string, voucher_id: string) => shop.post('redemptions', { store_id: shop.storeId, customer_id, voucher_id });
  const withVoucher = async () => {
    const customer = randomUUID();
    await shop.grant(customer);
    await shop.grant(customer);
    return { customer, voucher: (await shop.state(customer)).body.active_vouchers[0] };
  };

  test('once, however many try', async () => {
    const { customer, voucher } = await withVoucher();
    const responses = await Promise.all(Array.from({ length: 8 }, () => redeem(customer, voucher.id)));
    const done = responses.filter(({ status }) => status === 200);
    expect(done.map(({ body }) => body)).toEqual([{ voucher_id: voucher.id, redemption_code: voucher.code, reward_title: 'A coffee' }]);
    expect(responses.filter(({ body }) => body.error?.code === 'VOUCHER_ALREADY_REDEEMED')).toHaveLength(7);
    expect((await types(customer)).filter((type) => type === 'voucher.redeemed')).toHaveLength(1);
  });

  test('not while an unpaid order holds it, not by another, not past its day', async () => {
    const { customer, voucher } = await withVoucher();
    expect((await redeem(randomUUID(), voucher.id)).body.error.code).toBe('VOUCHER_NOT_FOUND');
    const held = { order_id: randomUUID(), voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z' });
    expect((await redeem(customer, voucher.id)).body.error.code).toBe('VOUCHER_RESERVED');
    const late = await withVoucher();
    running.clock.set('2026-08-01T00:00:00Z');
    expect((await redeem(late.customer, late.voucher.id)).body.error.code).toBe('VOUCHER_EXPIRED');
    running.clock.set('2026-05-01T11:00:00Z');
  });
});

describe('a granted stamp is taken back', () => {
  const undo = (customer_id: string, stamp_id: string) => shop.post('stamps/undo', { store_id: shop.storeId, customer_id, stamp_id });

  test('once, and said once', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    const responses = await Promise.all([1, 2, 3].map(() => undo(customer, body.stamp_id)));
    for (const answered of responses) expect(answered).toEqual({ status: 200, body: { undone: true, current_stamps: 0 } });
    expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved', 'stamp.undone']);
  });

  test('in three statements', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    running.statements.length = 0;
    await undo(customer, body.stamp_id);
    expect(running.statements.filter((text) => /update stamp|from stamp|insert into card|outbox \(/.test(text))).toHaveLength(3);
  });

  test('not one that made a voucher, one from elsewhere, or another customer’s', async () => {
    const customer = randomUUID();
    const first = await shop.grant(customer);
    expect((await undo(randomUUID(), first.body.stamp_id)).body.error.code).toBe('STAMP_NOT_FOUND');
    await shop.grant(customer);
    expect((await undo(customer, first.body.stamp_id)).body.error.code).toBe('STAMP_ALREADY_USED');
    expect((await undo(customer, await waiting(customer))).body.error.code).toBe('STAMP_NOT_UNDOABLE');
  });
});

describe('a pending stamp', () => {
  test('is listed newest first with who collected it, a guest where nobody is known; other stores’ are not', async () => {
    const here = await openShop(running);
    const customer = randomUUID();
    await running.consume(customerOf(customer, { name: 'Ana', email: 'ana@example.test' }));
    const older = await waiting(customer, here);
    running.clock.advance({ seconds: 1 });
    const newer = await waiting(null, here);
    await waiting(customer, shop);
    const listed = await here.get(`pending-stamps?store_id=${here.storeId}&status=pending`);
    expect(listed.body.stamps).toMatchObject([
      { id: newer, customer_id: null, customer: { id: 'guest', name: null, email: null } },
      { id: older, approval_reason: 'no_proof', approved: false, approved_at: null, customer: { id: customer, name: 'Ana' } },
    ]);
  });

  test('is approved once, and the last one mints', async () => {
    const customer = randomUUID();
    const first = await waiting(customer);
    const responses = await Promise.all([1, 2, 3].map(() => resolve(first, 'approve')));
    expect(responses.map(({ body }) => body.result.already_approved).sort()).toEqual([false, true, true]);
    const { body } = await review(await waiting(customer), 'approve');
    expect(body).toMatchObject({ action: 'approve', stamp_count: 0, voucher_created: true });
    expect((await shop.state(customer)).body.active_vouchers).toMatchObject([{ code: body.voucher_code }]);
    expect((await resolve(first, 'reject')).body.error.code).toBe('STAMP_ALREADY_APPROVED');
  });

  test('is rejected for good', async () => {
    const customer = randomUUID();
    const id = await waiting(customer);
    expect((await resolve(id, 'reject')).body).toEqual({ action: 'reject', result: null });
    expect((await resolve(id, 'reject')).status).toBe(200);
    expect((await review(id, 'approve')).body.error.code).toBe('STAMP_ALREADY_REJECTED');
    expect(await types(customer)).toEqual(['customer.seen', 'stamp.rejected']);
    const elsewhere = await openShop(running);
    expect((await resolve(id, 'approve', elsewhere)).body.error.code).toBe('STAMP_NOT_FOUND');
  });

  test('stays pending where the plan gives no more this month', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 1, plan_key: 'free' });
    await small.grant(randomUUID());
    const id = await waiting(randomUUID(), small);
    expect((await resolve(id, 'approve', small)).body.result).toMatchObject({
      success: false,
      error: 'MONTHLY_LIMIT_REACHED',
      limit_reached: true,
      monthly_limit: 1,
      stamps_used: 1,
      plan_key: 'free',
    });
    expect((await review(id, 'approve', small)).body.error.code).toBe('MONTHLY_LIMIT_REACHED');
    expect((await small.get(`pending-stamps?store_id=${small.storeId}&status=pending`)).body.stamps).toHaveLength(1);
  });

  test('of a guest counts on no card, and uses nothing of the plan up', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 1 });
    for (const id of [await waiting(null, small), await waiting(null, small)])
      expect((await resolve(id, 'approve', small)).body.result).toMatchObject({ success: true, stamp_count: 0, voucher_created: false });
    expect((await small.grant(randomUUID())).status).toBe(200);
  });
});
