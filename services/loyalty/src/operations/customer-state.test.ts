import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customerOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, ownerOf, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('the state of an unknown customer is all zeros', async () => {
  expect(await shop.state(randomUUID())).toEqual({
    status: 200,
    body: {
      stamp_count: 0,
      goal: 3,
      reward_name: 'A coffee',
      loyalty_enabled: true,
      active_vouchers: [],
      order_count: 0,
      total_spent_pence: 0,
      currency: 'GBP',
      membership: { status: null, current_period_end: null, plan_name: null },
      phone: null,
      email: null,
      last_visit_at: null,
    },
  });
});

test('phone, e-mail and last visit are shown once the customer has a card at this store, whatever happened at others', async () => {
  const customer = randomUUID();
  const other = await openShop(running);
  const membership = { status: 'active', current_period_end: '2026-06-01T00:00:00Z', plan_name: 'Gold' };
  await running.consume(
    customerOf(customer, {
      email: 'ana@example.test',
      phone: '+441632960001',
      memberships: [{ store_id: shop.storeId, ...membership }],
    }),
  );
  await other.pay(customer);
  expect((await shop.state(customer)).body).toMatchObject({
    phone: null,
    email: null,
    last_visit_at: null,
    order_count: 0,
    stamp_count: 0,
  });
  await shop.pay(customer);
  expect((await shop.state(customer)).body).toMatchObject({
    phone: '+441632960001',
    email: 'ana@example.test',
    last_visit_at: '2026-05-01T10:59:58.000001Z',
    order_count: 1,
    stamp_count: 1,
    membership: { status: 'active', plan_name: 'Gold' },
  });
  expect((await other.state(customer)).body.membership.status).toBeNull();
  const written = JSON.stringify([running.lines, await shop.events(customer), await other.events(customer)]);
  for (const personal of ['ana@example.test', '+441632960001']) expect(written).not.toContain(personal);
});

test('a voucher’s code is in no event and no log line, apart from its last four characters', async () => {
  const customer = randomUUID();
  for (let count = 0; count < 3; count += 1) await shop.grant(customer);
  const [{ code }] = (await shop.state(customer)).body.active_vouchers;
  const events = await shop.events(customer);
  expect(events.at(-1)?.data.code_tail).toBe(code.slice(-4));
  expect(JSON.stringify([running.lines, events])).not.toContain(code);
});

test('the customer state takes one statement', async () => {
  const customer = randomUUID();
  await shop.state(customer);
  running.statements.length = 0;
  await shop.state(customer);
  expect(running.statements.filter((text) => text.includes('card'))).toHaveLength(1);
  expect(running.statements.filter((text) => !/inbox|outbox|schedule/.test(text))).toHaveLength(1);
});

test('the customer state is refused for an unknown store, a missing scope, a customer, another store’s owner and a forged token', async () => {
  const customer = randomUUID();
  const stores = [{ id: shop.storeId, role: 'owner' }] as const;
  expect((await shop.state(customer, await running.issuer.token({ typ: 'merchant', stores }))).body.error.code).toBe('INSUFFICIENT_SCOPE');
  expect((await shop.state(customer, await running.issuer.token({ typ: 'customer', scope: 'merchant:read' }))).status).toBe(403);
  expect((await shop.state(customer, await ownerOf(running, randomUUID()))).body.error.code).toBe('STORE_FORBIDDEN');
  expect((await shop.state(customer, await running.issuer.bad.forged({ typ: 'merchant', stores }))).status).toBe(401);
  const unknown = randomUUID();
  const response = await fetch(`${running.service.url}/api/v1/loyalty/customer-state?store_id=${unknown}&customer_id=${customer}`, {
    headers: { authorization: `Bearer ${await ownerOf(running, unknown)}` },
  });
  expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'STORE_NOT_FOUND' } }]);
});
