import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { checkAtRest } from './checker.ts';
import { sendUntilAnswered } from './client.ts';
import { customerState, newWalker, pay, type Walker } from './story.ts';
import { type SystemUnderTest, startSystemUnderTest } from './testing/running-system.ts';

jest.setTimeout(120_000);

let under: SystemUnderTest;

beforeAll(async () => {
  under = await startSystemUnderTest();
});
afterAll(async () => {
  await under[Symbol.asyncDispose]();
});

const store_id = stores.coffee.id;
const call = async (token: string, path: string, body: Record<string, unknown>, key: string = randomUUID()) =>
  await sendUntilAnswered(under.history, {
    operation: path === '/orders' ? 'create' : path,
    method: 'POST',
    url: `${under.system.gatewayUrl}/api/v1${path}`,
    token,
    key,
    body: { store_id, ...body },
  });

const vouchersOf = async (walker: Walker) =>
  (await customerState(under.system, under.history, walker)).active_vouchers as readonly { readonly id: string }[];

/** A customer whose card was filled at the counter, and the voucher that came of it. */
async function withVoucher(): Promise<{ readonly walker: Walker; readonly voucherId: string }> {
  const walker = await newWalker(under.system);
  for (let n = 0; n < 5; n += 1) {
    const granted = await call(walker.merchant, '/loyalty/stamps', { customer_id: walker.customerId, idempotency_key: randomUUID() });
    expect(granted.status).toBe(200);
  }
  const [voucher] = await vouchersOf(walker);
  if (!voucher) throw new Error('a full card minted no voucher');
  return { walker, voucherId: voucher.id };
}

/** Something now, something made while waiting, with voucher and promo code: 340 + 620 + 340, less 340, less 10 percent of 960. */
const mixed = (voucherId: string, key: string) => ({
  store_code: stores.coffee.code,
  idempotency_key: key,
  items: [],
  voucher_id: voucherId,
  promo_code: 'welcome10',
  tip_pence: 50,
  fulfilment_groups: [
    { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
    { role: 'collect', items: [{ menu_item_id: 'toastie', quantity: 1 }] },
    { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
  ],
});
const mixedPence = 1300 - 340 - 96 + 50;

const settled = async (walker: Walker, count: number) =>
  await until(async () => (await vouchersOf(walker)).length === count, { describe: `${count} active vouchers`, timeoutMs: 15_000 });

test('a voucher is reserved at checkout, used by the payment and given back by a full refund', async () => {
  const { walker, voucherId } = await withVoucher();
  const { status, body: order } = await call(walker.customer, '/orders', mixed(voucherId, walker.key), walker.key);
  expect([status, order.amount_pence]).toEqual([200, mixedPence]);
  expect(await vouchersOf(walker)).toEqual([]);
  const again = await call(walker.customer, '/orders', { ...mixed(voucherId, randomUUID()) });
  expect([again.status, (again.body.error as { code: string }).code]).toEqual([409, 'VOUCHER_RESERVED']);

  await pay(under.system, under.history, String(order.payment_intent_id));
  const confirmed = await call(walker.customer, '/orders/confirm', { payment_intent_id: order.payment_intent_id });
  const children = confirmed.body.children as { total_pence: number; collection_code: string }[];
  expect(children.map(({ collection_code }) => collection_code.length)).toEqual([4, 4]);
  expect(confirmed.body).toMatchObject({ voucher_discount_pence: 340, promo_discount_pence: 96, discount_pence: 436, stamps_added: 1 });

  await call(walker.merchant, `/orders/${order.order_id}/refund`, { reason: 'It rained.' });
  await settled(walker, 1);
  expect(await checkAtRest(under.system, under.history)).toEqual([]);
});

test('an order that is cancelled unpaid gives its voucher back', async () => {
  const { walker, voucherId } = await withVoucher();
  const { body: order } = await call(walker.customer, '/orders', mixed(voucherId, walker.key), walker.key);
  const { status } = await sendUntilAnswered(under.history, {
    operation: 'cancel',
    method: 'PATCH',
    url: `${under.system.gatewayUrl}/api/v1/orders/${order.order_id}/status`,
    token: walker.merchant,
    key: randomUUID(),
    body: { store_id, status: 'cancelled', note: 'Closed early.' },
  });
  expect(status).toBe(200);
  await settled(walker, 1);
  expect(await checkAtRest(under.system, under.history)).toEqual([]);
});

test.each(['orders.create.after-voucher', 'orders.create.after-holds', 'orders.create.after-intent'])(
  'a crash at %s neither loses the voucher nor uses it twice',
  async (point) => {
    const { walker, voucherId } = await withVoucher();
    const { orders } = under.system.services;
    await orders.restart({ env: { CRASH_AT: point } });
    const answer = call(walker.customer, '/orders', mixed(voucherId, walker.key), walker.key);
    expect(await orders.exited).toMatchObject({ signal: 'SIGKILL' });
    await orders.restart();
    const { status, body: order } = await answer;
    expect([status, order.amount_pence]).toEqual([200, mixedPence]);
    await pay(under.system, under.history, String(order.payment_intent_id));
    await call(walker.customer, '/orders/confirm', { payment_intent_id: order.payment_intent_id });
    expect(await vouchersOf(walker)).toEqual([]);
    expect(await checkAtRest(under.system, under.history)).toEqual([]);
  },
);

test('without loyalty an order with a voucher is put off, one without is taken', async () => {
  const { walker, voucherId } = await withVoucher();
  const { loyalty } = under.system.services;
  loyalty.kill();
  await loyalty.exited;
  const plain = await call(walker.customer, '/orders', {
    store_code: stores.coffee.code,
    idempotency_key: randomUUID(),
    items: [{ menu_item_id: 'espresso', quantity: 1 }],
  });
  expect(plain.status).toBe(200);
  const late = call(walker.customer, '/orders', mixed(voucherId, walker.key), walker.key);
  await loyalty.restart();
  expect((await late).status).toBe(200);
});
