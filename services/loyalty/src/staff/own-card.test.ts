// covers: grantStamp, reviewStamp, resolvePendingStamp, redeemVoucher, redeemVoucherByCode, confirmMultiStamp

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addStaff, atCounter, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, cy, openShop, type Shop, staffOf, withoutProof } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { ...withoutProof, goal: 1, daily_stamp_limit: 100 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

async function givenTo(customer_id: string): Promise<[string, object][]> {
  const stamp_id = await addPendingStamp(running, shop, customer_id);
  await shop.grant(customer_id);
  const vouchers = (await shop.state(customer_id)).body.active_vouchers as { id: string; code: string }[];
  const [first, second] = [vouchers.at(0), vouchers.at(-1)];
  return [
    ['stamps', { customer_id }],
    ['stamps/review', { stamp_id, action: 'approve' }],
    ['pending-stamps/resolve', { stamp_id, action: 'approve' }],
    ['redemptions', { customer_id, voucher_id: first?.id }],
    ['redemptions/by-code', { code: second?.code }],
  ];
}

test.each(['staff', 'manager'] as const)('a %s gives a customer stamps and rewards, and gives themselves none', async (role) => {
  const token = await staffOf(running, shop.storeId, cy, role);
  const before = (await shop.state(cy.id)).body;
  const given = await givenTo(cy.id);
  const had = (await shop.state(cy.id)).body;
  for (const [path, body] of given)
    expect([path, await refusalOf(shop.post(path, { store_id: shop.storeId, ...body }, token))]).toEqual([
      path,
      [403, 'INSUFFICIENT_ROLE'],
    ]);
  expect((await shop.state(cy.id)).body).toEqual(had);
  expect(had).not.toEqual(before);
});

test('an owner, whose goods they are, may', async () => {
  const owner = await running.issuer.token({
    typ: 'merchant',
    sub: cy.id,
    scope: 'merchant:read',
    stores: [{ id: shop.storeId, role: 'owner' }],
  });
  const { status } = await shop.post('stamps', { store_id: shop.storeId, customer_id: cy.id }, owner);
  expect(status).toBe(200);
});

test('a request for several stamps is confirmed by someone else’s card alone', async () => {
  const roomy = await openShop(running, { ...withoutProof, goal: 3 });
  const member = await addStaff(running, roomy);
  const asCustomer = await atCounter(running, roomy, member, member.id);
  expect((await asCustomer.request(2)).status).toBe(200);
  expect(await refusalOf(asCustomer.confirm())).toEqual([403, 'STAFF_CREDENTIAL_INVALID']);
  const { card } = await addStaff(running, roomy);
  expect((await asCustomer.confirm({ staff_secret: card })).status).toBe(200);
});
