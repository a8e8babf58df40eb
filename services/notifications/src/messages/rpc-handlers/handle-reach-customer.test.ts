import { randomUUID } from 'node:crypto';
import { type RpcOutput, reachCustomer, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { customerSnapshot, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

async function input({ service }: Running, customer_id: string): Promise<RpcOutput<typeof reachCustomer>['channel']> {
  const { broker } = await service.backbone;
  const asked = JSON.stringify({ customer_id, store_id: randomUUID() });
  const reply = await broker.connection.request(broker.subject(rpcSubject(reachCustomer)), asked, { timeout: 60_000 });
  return reply.json<{ output: RpcOutput<typeof reachCustomer> }>().output.channel;
}

test.each([
  ['push', {}],
  ['push', { email: null, devices: [{ id: 'ab'.repeat(32), platform: 'ios' as const }] }],
  ['email', { devices: [] }],
  ['none', { email: null, devices: [] }],
] as const)('a customer is reached by %s', async (channel, reachable) => {
  const { customerId } = await messaging.guest(reachable);
  expect(await input(messaging.running, customerId)).toBe(channel);
});

test('a stranger is reached by nothing', async () => {
  expect(await input(messaging.running, randomUUID())).toBe('none');
});

test('a device that is gone reaches nobody', async () => {
  const guest = await messaging.guest();
  messaging.messages.controls.dropDevice(guest.phone);
  const ready = orderNews(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.errandsOf(ready);
  expect(await input(messaging.running, guest.customerId)).toBe('email');
});

test('a way that is not set up is none', async () => {
  await using running = await startRunning();
  const customerId = randomUUID();
  const snapshot = customerSnapshot(customerId, 1);
  await running.publish(snapshot);
  await running.processed(snapshot);
  expect(await input(running, customerId)).toBe('none');
});
