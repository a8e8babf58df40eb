// covers: resolvePendingStamp, reviewStamp, listPendingStamps

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { customerOf, programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, customerToken, openShop, ownerOf, type Shop } from '../testing/shop.ts';

let running: Running;

let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});

afterAll(async () => await running[Symbol.asyncDispose]());

describe('resolving or reviewing a pending stamp', () => {
  const types = async (customer: string) => (await shop.events(customer)).map(({ type }) => type);
  const resolve = (stamp_id: string, action: string, at = shop) =>
    at.post('pending-stamps/resolve', { store_id: at.storeId, stamp_id, action });
  const review = (stamp_id: string, action: string, at = shop) => at.post('stamps/review', { store_id: at.storeId, stamp_id, action });

  test('approves it once, and the last one mints a voucher', async () => {
    const customer = randomUUID();
    const first = await addPendingStamp(running, shop, customer);
    const responses = await Promise.all([1, 2, 3].map(() => resolve(first, 'approve')));
    expect(responses.map(({ body }) => body.result.already_approved).sort()).toEqual([false, true, true]);
    const { body } = await review(await addPendingStamp(running, shop, customer), 'approve');
    expect(body).toMatchObject({ action: 'approve', stamp_count: 0, voucher_created: true });
    expect((await shop.state(customer)).body.active_vouchers).toMatchObject([{ code: body.voucher_code }]);
    expect((await resolve(first, 'reject')).body.error.code).toBe('STAMP_ALREADY_APPROVED');
  });

  test('rejects it for good', async () => {
    const customer = randomUUID();
    const id = await addPendingStamp(running, shop, customer);
    expect((await resolve(id, 'reject')).body).toMatchObject({ action: 'reject', result: null });
    expect((await resolve(id, 'reject')).status).toBe(200);
    expect((await review(id, 'approve')).body.error.code).toBe('STAMP_ALREADY_REJECTED');
    expect(await types(customer)).toEqual(['customer.seen', 'stamp.rejected']);
    const elsewhere = await openShop(running);
    expect((await resolve(id, 'approve', elsewhere)).body.error.code).toBe('STAMP_NOT_FOUND');
  });

  test('decides anew under the same Idempotency-Key once the quota that prevented it is raised', async () => {
    const quota = { monthly_stamp_quota: 1, plan_key: 'free' as const };
    const small = await openShop(running, quota);
    await small.grant(randomUUID());
    const body = { store_id: small.storeId, stamp_id: await addPendingStamp(running, small), action: 'approve' };
    const owner = await ownerOf(running, small.storeId);
    const approve = async () => (await small.post('pending-stamps/resolve', body, owner, { 'idempotency-key': body.stamp_id })).body.result;
    expect(await approve()).toMatchObject({ success: false, limit_reached: true });
    await running.consume(programmeOf(small.storeId, { ...quota, version: 2, monthly_stamp_quota: 2 }));
    expect(await approve()).toMatchObject({ success: true, already_approved: false });
    expect(await approve()).toMatchObject({ success: true, already_approved: false });
  });

  test('leaves it pending when the monthly quota is used up', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 1, plan_key: 'free' });
    await small.grant(randomUUID());
    const id = await addPendingStamp(running, small);
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

  test('approves a guest’s stamp without counting it on a card or toward the quota', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 1 });
    for (const id of [await addPendingStamp(running, small, null), await addPendingStamp(running, small, null)])
      expect((await resolve(id, 'approve', small)).body.result).toMatchObject({ success: true, stamp_count: 0, voucher_created: false });
    expect((await small.grant(randomUUID())).status).toBe(200);
  });
});

test('pending stamps are listed newest first, each with its customer or a guest, and without other stores’', async () => {
  const here = await openShop(running);
  const customer = randomUUID();
  await running.consume(customerOf(customer, { name: 'Ana', email: 'ana@example.test' }));
  const receipt = { receipt_id: 'one', store_code: here.storeId };
  const synced = await here.post('stamps/sync-offline', { stamps: [receipt] }, await customerToken(running, customer));
  const older = synced.body.results[0].stamp_id;
  running.clock.advance({ seconds: 1 });
  const newer = await addPendingStamp(running, here, null);
  await addPendingStamp(running, shop, customer);
  const listed = await here.get(`pending-stamps?store_id=${here.storeId}&status=pending`);
  expect(listed.body.stamps).toMatchObject([
    { id: newer, customer_id: null, customer: { id: 'guest', name: null, email: null } },
    { id: older, approval_reason: 'no_proof', approved: false, approved_at: null, customer: { id: customer, name: 'Ana' } },
  ]);
});
