import { randomUUID } from 'node:crypto';
import { demoDirectory, people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { payAndConfirm } from '../testing/order-scenario.ts';
import { publishDirectory, withOwnPromos } from '../testing/own-store.ts';
import { callOnce, recordingClient } from '../testing/recording-client.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const [high, market] = [
  { id: randomUUID(), code: randomUUID().slice(0, 8) },
  { id: randomUUID(), code: randomUUID().slice(0, 8) },
];
const ana = randomUUID();
type Store = typeof high;

beforeAll(async () => {
  environment = await sharedEnvironment();
  const demo = demoDirectory(new Date()) as {
    readonly stores: readonly Record<string, unknown>[];
    readonly menus: readonly Record<string, unknown>[];
  };
  const content = {
    stores: [high, market].map((store) => ({ ...demo.stores[0], ...store })),
    menus: [high, market].map(({ id }) => ({ ...withOwnPromos(demo.menus[0]), store_id: id })),
    programmes: [{ store_id: high.id, store_ids: [market.id], goal: 2, reward: { kind: 'amount', value: 300 } }],
    customers: [{ id: ana, name: 'Ana of the chain' }],
  };
  await publishDirectory(environment.system, content);
});

const customer = () => environment.system.tokens.token({ typ: 'customer', sub: ana });
const staffOf = ({ id }: Store) =>
  environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [id] });
const client = (operation: string, token: string) =>
  recordingClient(environment.system.gatewayUrl, environment.history, { operation, token, key: randomUUID() });

async function order(store: Store, voucher_id?: string): Promise<string> {
  const key = randomUUID();
  const body = {
    store_code: store.code,
    store_id: store.id,
    idempotency_key: key,
    items: [{ menu_item_id: 'flat-white', quantity: 2 }],
    order_type: 'collect' as const,
    collection_mode: 'now' as const,
    ...(voucher_id ? { voucher_id } : {}),
  };
  const { data } = await client('create', await customer()).POST('/api/v1/orders', { body });
  await payAndConfirm(environment, client('confirm', await customer()), store.id, data);
  return data.order_id;
}

async function cardAt(store: Store) {
  const query = { store_id: store.id, customer_id: ana };
  return (await client('state', await staffOf(store)).GET('/api/v1/loyalty/customer-state', { params: { query } })).data;
}
const shows = (stamps: number, vouchers: number) =>
  until(
    async () => {
      const cards = [await cardAt(high), await cardAt(market)];
      return cards.every(({ stamp_count, active_vouchers }) => stamp_count === stamps && active_vouchers.length === vouchers);
    },
    { describe: `${stamps} stamps and ${vouchers} vouchers at both shops` },
  );

test('stamps of two shops earn a voucher for both, which is used at the counter of one and in an order of the other, and goes back', async () => {
  await order(high);
  await shows(1, 0);
  await order(market);
  await shows(0, 1);

  const [voucher] = (await cardAt(market)).active_vouchers;
  const redeemed = await client('redeem', await staffOf(market)).POST('/api/v1/loyalty/redemptions/by-code', {
    body: { store_id: market.id, code: voucher?.code ?? '' },
  });
  expect(redeemed.data).toMatchObject({ customer_id: ana, voucher_id: voucher?.id });
  await shows(0, 0);

  await order(market);
  const last = await order(high);
  await shows(0, 1);
  const [second] = (await cardAt(high)).active_vouchers;
  const paidWithVoucher = await order(market, second?.id);
  await shows(1, 0);

  const refund = async (store: Store, orderId: string) =>
    await client('refund', await staffOf(store)).POST('/api/v1/orders/{orderId}/refund', {
      params: { path: { orderId } },
      body: { store_id: store.id, reason: 'It was cold.', refund_attempt_id: randomUUID() },
    });
  await refund(market, paidWithVoucher);
  await shows(0, 1);
  await refund(high, last);
  await shows(1, 0);
  expect([(await cardAt(high)).order_count, (await cardAt(market)).order_count]).toEqual([2, 3]);
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
});

test('staff of one shop cannot act for the other, nor with a stamp that was collected there', async () => {
  const granted = await client('grant', await staffOf(high)).POST('/api/v1/loyalty/stamps', {
    body: { store_id: high.id, customer_id: ana },
  });
  const undo = async (store: Store, by: Store) =>
    (
      await callOnce(environment.history, {
        operation: 'undo',
        token: await staffOf(by),
        method: 'POST',
        url: `${environment.system.gatewayUrl}/api/v1/loyalty/stamps/undo`,
        body: { store_id: store.id, customer_id: ana, stamp_id: granted.data.stamp_id },
      })
    ).status;
  expect([await undo(market, market), await undo(high, market)]).toEqual([404, 403]);
});
