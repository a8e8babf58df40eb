import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { customerState, newShopper, pay, type Shopper } from '../testing/order-scenario.ts';
import { callWithRetries } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment();
});

const store_id = stores.coffee.id;
const call = async (token: string, path: string, body: Record<string, unknown>, key: string = randomUUID()) =>
  await callWithRetries(environment.history, {
    operation: path === '/orders' ? 'create' : path,
    method: 'POST',
    url: `${environment.system.gatewayUrl}/api/v1${path}`,
    token,
    key,
    body: { store_id, ...body },
  });

const activeVouchers = async (shopper: Shopper) =>
  (await customerState(environment.system, environment.history, shopper)).active_vouchers as readonly { readonly id: string }[];

async function shopperWithVoucher(): Promise<{ readonly shopper: Shopper; readonly voucherId: string }> {
  const shopper = await newShopper(environment.system);
  for (let n = 0; n < 5; n += 1) {
    const granted = await call(shopper.merchant, '/loyalty/stamps', { customer_id: shopper.customerId, idempotency_key: randomUUID() });
    expect(granted.status).toBe(200);
  }
  const [voucher] = await activeVouchers(shopper);
  if (!voucher) throw new Error('a full card minted no voucher');
  return { shopper, voucherId: voucher.id };
}

/** One leg now and two to collect: 340 + 620 + 340 pence, less 340 by the voucher, less 10 % of 960 by the promo code. */
const mixedOrder = (voucherId: string, key: string) => ({
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

const untilActiveVouchers = async (shopper: Shopper, count: number) =>
  await until(async () => (await activeVouchers(shopper)).length === count, { describe: `${count} active vouchers` });

test('a voucher is reserved at checkout, redeemed by the payment and released by a full refund', async () => {
  const { shopper, voucherId } = await shopperWithVoucher();
  const { status, body: order } = await call(shopper.customer, '/orders', mixedOrder(voucherId, shopper.key), shopper.key);
  expect([status, order.amount_pence]).toEqual([200, mixedPence]);
  expect(await activeVouchers(shopper)).toEqual([]);
  const again = await call(shopper.customer, '/orders', { ...mixedOrder(voucherId, randomUUID()) });
  expect([again.status, (again.body.error as { code: string }).code]).toEqual([409, 'VOUCHER_RESERVED']);

  await pay(environment.system, environment.history, String(order.payment_intent_id));
  const confirmed = await until(
    async () => {
      const response = await call(shopper.customer, '/orders/confirm', { payment_intent_id: order.payment_intent_id });
      return response.body.stamps_added !== undefined && response;
    },
    { describe: 'a confirmation with the award' },
  );
  const children = confirmed.body.children as { total_pence: number; collection_code: string }[];
  expect(children.map(({ collection_code }) => collection_code.length)).toEqual([4, 4]);
  expect(confirmed.body).toMatchObject({ voucher_discount_pence: 340, promo_discount_pence: 96, discount_pence: 436, stamps_added: 1 });

  await call(shopper.merchant, `/orders/${order.order_id}/refund`, { reason: 'It rained.' });
  await untilActiveVouchers(shopper, 1);
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
});

test('cancelling an unpaid order releases its voucher', async () => {
  const { shopper, voucherId } = await shopperWithVoucher();
  const { body: order } = await call(shopper.customer, '/orders', mixedOrder(voucherId, shopper.key), shopper.key);
  const { status } = await callWithRetries(environment.history, {
    operation: 'cancel',
    method: 'PATCH',
    url: `${environment.system.gatewayUrl}/api/v1/orders/${order.order_id}/status`,
    token: shopper.merchant,
    key: randomUUID(),
    body: { store_id, status: 'cancelled', note: 'Closed early.' },
  });
  expect(status).toBe(200);
  await untilActiveVouchers(shopper, 1);
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
});

test.each(['orders.create.after-voucher', 'orders.create.after-holds', 'orders.create.after-intent'])(
  'a crash of orders at %s neither loses the voucher nor redeems it twice',
  async (point) => {
    const { shopper, voucherId } = await shopperWithVoucher();
    const { orders } = environment.system.services;
    await orders.restart({ env: { CRASH_AT: point } });
    const response = call(shopper.customer, '/orders', mixedOrder(voucherId, shopper.key), shopper.key);
    expect(await orders.exited).toMatchObject({ signal: 'SIGKILL' });
    await orders.restart();
    const { status, body: order } = await response;
    expect([status, order.amount_pence]).toEqual([200, mixedPence]);
    await pay(environment.system, environment.history, String(order.payment_intent_id));
    await call(shopper.customer, '/orders/confirm', { payment_intent_id: order.payment_intent_id });
    expect(await activeVouchers(shopper)).toEqual([]);
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  },
);

test('while loyalty is down an order without a voucher succeeds, and an order with one succeeds after loyalty is back', async () => {
  const { shopper, voucherId } = await shopperWithVoucher();
  const { loyalty } = environment.system.services;
  await loyalty.stop();
  const plain = await call(shopper.customer, '/orders', {
    store_code: stores.coffee.code,
    idempotency_key: randomUUID(),
    items: [{ menu_item_id: 'espresso', quantity: 1 }],
  });
  expect(plain.status).toBe(200);
  const late = call(shopper.customer, '/orders', mixedOrder(voucherId, shopper.key), shopper.key);
  await loyalty.restart();
  expect((await late).status).toBe(200);
});
