import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { basket, newShopper, pay } from '../testing/order-scenario.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await startTestEnvironment();
  // No event of a payment comes before its order is cancelled.
  await deliver(true);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

const store_id = stores.coffee.id;
const deliver = async (hold: boolean) =>
  void (await fetch(`${environment.system.paymentsUrl}/_sim/delivery`, { method: 'POST', body: JSON.stringify({ hold }) }));

test.each(['orders.cancel.after-begin', 'orders.cancel.after-end', 'orders.cancel.after-reserve'])(
  'a crash at %s, while a payment comes, ends in a cancelled order whose payment went back once',
  async (point) => {
    const { system, history } = environment;
    const process = system.services.orders;
    const shopper = await newShopper(system);
    const client = (operation: string, token: string) =>
      recordingClient(system.gatewayUrl, history, { operation, token, key: `${shopper.key}:${operation}` }, 90_000);
    const { data: order } = await client('create', shopper.customer).POST('/api/v1/orders', { body: basket(shopper.key) });
    const intentId = order.payment_intent_id ?? '';
    await process.restart({ env: { CRASH_AT: point } });
    await pay(system, history, intentId);
    const params = { path: { orderId: order.order_id } };
    const cancelling = client('cancel', shopper.merchant).PATCH('/api/v1/orders/{orderId}/status', {
      params,
      body: { store_id, status: 'cancelled' },
    });
    expect(await process.exited).toMatchObject({ signal: 'SIGKILL' });
    await process.restart();
    await cancelling;
    const merchant = client('read', shopper.merchant);
    const read = async () => (await merchant.GET('/api/v1/orders/{orderId}', { params: { ...params, query: { store_id } } })).data.order;
    await until(async () => (await read()).status === 'refunded', { describe: 'the payment to be refunded', timeoutMs: 90_000 });
    expect((await read()).fulfilment_status).toBe('cancelled');
    expect(await checkAtRest(system, history)).toEqual([]);
  },
);
