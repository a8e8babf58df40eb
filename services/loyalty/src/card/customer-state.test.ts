import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { customerOf, queueEvent } from '../testing/events.ts';
import { addStaff, atCounter } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, customerToken, openShop, ownerOf, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const uid = '04A1B2C3D4E5F6';

let running: Running;

let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { tags: [{ uid }] });
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
      driver: 'orders',
      phone: null,
      email: null,
      last_visit_at: null,
    },
  });
});

test('phone and e-mail are shown once the customer has ordered at this store, whatever happened at others', async () => {
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

const actions: Readonly<Record<string, (customer: string, token: string) => Promise<unknown>>> = {
  'an order': (customer) => shop.pay(customer, { paid_at: running.clock.now().toISOString() }),
  'a redeemed code': async (_, token) => {
    const { code } = (await shop.post('stamp-codes', { store_id: shop.storeId }, anonymous)).body;
    return await shop.post('stamp-codes/redeem', { code }, token);
  },
  'a tap': (_, token) => shop.post('stamp-codes', { store_id: shop.storeId, ...fieldsOf(tapOf(uid, 1)) }, token),
  'an offline receipt': (_, token) => shop.post('stamps/sync-offline', { stamps: [{ receipt_id: 'r', store_code: shop.storeId }] }, token),
  'a place in the queue that they took as a guest': (customer) =>
    running.consume(queueEvent('claimed', shop.storeId, customer, running.clock.now().toISOString())),
  'a place in the queue': (customer) => running.consume(queueEvent('joined', shop.storeId, customer, running.clock.now().toISOString())),
  'being served from the queue': (customer) =>
    running.consume(queueEvent('completed', shop.storeId, customer, running.clock.now().toISOString())),
  'a confirmed multi-stamp request': async (customer) => {
    const counter = await atCounter(running, shop, await addStaff(running, shop), customer);
    await counter.request();
    return await counter.confirm(fieldsOf(tapOf(uid, 2)));
  },
};

describe('an action of the customer opens phone and e-mail, and is a visit', () => {
  test.each(Object.keys(actions))('%s', async (action) => {
    const customer = randomUUID();
    await running.consume(customerOf(customer, { email: 'ana@example.test', phone: '+441632960001' }));
    running.clock.advance({ minutes: 1 });
    await actions[action]?.(customer, await customerToken(running, customer));
    const { phone, email, last_visit_at } = (await shop.state(customer)).body;
    expect([phone, email, new Date(last_visit_at)]).toEqual(['+441632960001', 'ana@example.test', running.clock.now()]);
    expect((await shop.events(customer))[0]?.type).toBe('customer.seen');
  });
});

test('what staff do for a customer is a visit, and opens neither phone nor e-mail nor name', async () => {
  const customer = randomUUID();
  const before = await openShop(running, { goal: 1 });
  const visit = async () => {
    const { phone, email, last_visit_at } = (await before.state(customer)).body;
    return [phone, email, new Date(last_visit_at)];
  };
  await running.consume(customerOf(customer, { name: 'Ana', email: 'ana@example.test', phone: '+441632960001' }));
  running.clock.advance({ hours: 1 });
  await before.grant(customer);
  expect(await visit()).toEqual([null, null, running.clock.now()]);
  running.clock.advance({ hours: 1 });
  const [voucher] = (await before.state(customer)).body.active_vouchers;
  await before.post('redemptions', { store_id: before.storeId, customer_id: customer, voucher_id: voucher.id });
  expect(await visit()).toEqual([null, null, running.clock.now()]);
  const { stamps } = (await before.get(`pending-stamps?store_id=${before.storeId}&status=approved`)).body;
  expect(stamps).toMatchObject([{ customer: { id: customer, name: null, email: null, phone: null, identity_user_id: null } }]);
});

test('a visit never moves back: a receipt counts at the time of its tap', async () => {
  const customer = randomUUID();
  const token = await customerToken(running, customer);
  const tappedAt = new Date(running.clock.now().getTime() - 3_600_000).toISOString();
  const sync = (receipt_id: string, tap_timestamp: string) =>
    shop.post('stamps/sync-offline', { stamps: [{ receipt_id, store_code: shop.storeId, tap_timestamp }] }, token);
  const visit = async () => new Date((await shop.state(customer)).body.last_visit_at).toISOString();
  await sync('older', tappedAt);
  expect(await visit()).toBe(tappedAt);
  await shop.grant(customer);
  await sync('oldest', new Date(Date.parse(tappedAt) - 1_000).toISOString());
  expect(await visit()).toBe(running.clock.now().toISOString());
});

test('a guest who joins the queue leaves no card', async () => {
  await running.consume(queueEvent('joined', shop.storeId, null, '2026-05-01T11:00:00Z'));
  expect((await shop.state(randomUUID())).body.last_visit_at).toBeNull();
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
  expect(running.statements).toEqual([expect.stringContaining('card')]);
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
