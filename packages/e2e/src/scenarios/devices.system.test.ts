import { randomUUID } from 'node:crypto';
import { createClient } from '@corner/client';
import { people, stores } from '@corner/sandbox/demo';
import type { Message, MessageControls } from '@corner/sandbox/messages';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { payAndConfirm } from '../testing/order-scenario.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const store_id = stores.coffee.id;

beforeAll(async () => {
  environment = await sharedEnvironment();
});

const clientOf = (claims: Parameters<TestEnvironment['system']['tokens']['token']>[0]) =>
  createClient({ baseUrl: environment.system.gatewayUrl, token: () => environment.system.tokens.token(claims) });

async function subscribe(applicationServerKey: string): Promise<ReturnType<MessageControls['subscribeBrowser']>> {
  const init = { method: 'POST', body: JSON.stringify({ applicationServerKey }) };
  return (await (await fetch(`${environment.system.messagesUrl}/_sim/subscribe-browser`, init)).json()) as never;
}

async function pushesTo(endpoint: string): Promise<readonly string[]> {
  const response = await fetch(`${environment.system.messagesUrl}/inbox.json?to=${encodeURIComponent(endpoint)}`);
  return ((await response.json()) as readonly Message[]).map(({ title }) => title);
}

test('a customer links a browser and gets its pushes, and none once it is unlinked', async () => {
  const customerId = randomUUID();
  const customer = clientOf({ typ: 'customer', sub: customerId });
  const staff = clientOf({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store_id] });

  async function orderUntilReady(): Promise<string> {
    const items = [{ menu_item_id: 'flat-white', quantity: 1 }];
    const basket = { store_code: stores.coffee.code, store_id, items, order_type: 'collect' as const, collection_mode: 'now' as const };
    const { data: placed } = await customer.POST('/api/v1/orders', { body: { ...basket, idempotency_key: randomUUID() } });
    const confirmed = await payAndConfirm(environment, customer, store_id, placed);
    for (const to_status of ['preparing', 'ready'] as const)
      await staff.PATCH('/api/v1/orders/{orderId}/fulfilment', {
        params: { path: { orderId: placed.order_id } },
        body: { store_id, to_status },
      });
    return `Order ${confirmed.order_number} is ready`;
  }

  const { data: key } = await customer.GET('/api/v1/notifications/web-push-key');
  const subscription = await subscribe(key.public_key ?? '');
  const body = { platform: 'web' as const, subscription, name: 'My laptop' };
  const { data: linked } = await customer.POST('/api/v1/notifications/devices', { body });
  const other = await subscribe(key.public_key ?? '');
  await customer.POST('/api/v1/notifications/devices', { body: { platform: 'web', subscription: other } });

  const ready = await orderUntilReady();
  for (const endpoint of [subscription.endpoint, other.endpoint])
    await until(async () => (await pushesTo(endpoint)).includes(ready), { describe: `the push of ${ready}` });

  const path = { device_id: linked.device_id };
  for (let times = 0; times < 2; times += 1) {
    const { data } = await customer.DELETE('/api/v1/notifications/devices/{device_id}', { params: { path } });
    expect(data).toEqual(path);
  }
  const { data: listed } = await customer.GET('/api/v1/notifications/devices');
  expect(listed.devices.map(({ platform, name }) => [platform, name])).toEqual([['web', null]]);

  const second = await orderUntilReady();
  await until(async () => (await pushesTo(other.endpoint)).includes(second), { describe: `the push of ${second}` });
  expect(await pushesTo(subscription.endpoint)).not.toContain(second);
});
