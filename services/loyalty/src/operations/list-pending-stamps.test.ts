import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customerOf } from '../testing/events.ts';
import { addPendingStamp } from '../testing/pending-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

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
