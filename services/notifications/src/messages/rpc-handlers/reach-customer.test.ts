import { randomUUID } from 'node:crypto';
import { type RpcOutput, reachCustomer, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../../testing/running.ts';
import { customerSnapshot, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

async function channelFor({ service }: Running, customer_id: string): Promise<RpcOutput<typeof reachCustomer>['channel']> {
  const { broker } = await service.backbone;
  const input = JSON.stringify({ customer_id, store_id: randomUUID() });
  const reply = await broker.connection.request(broker.subject(rpcSubject(reachCustomer)), input, { timeout: 60_000 });
  return reply.json<{ output: RpcOutput<typeof reachCustomer> }>().output.channel;
}

test.each([
  ['push', {}],
  ['push', { email: null, devices: [{ id: 'ab'.repeat(32), platform: 'ios' as const }] }],
  ['email', { devices: [] }],
  ['none', { email: null, devices: [] }],
] as const)('the channel is %s for %j', async (channel, reachable) => {
  const { customerId } = await messaging.guest(reachable);
  expect(await channelFor(messaging.running, customerId)).toBe(channel);
});

test('the channel is none for an unknown customer', async () => {
  expect(await channelFor(messaging.running, randomUUID())).toBe('none');
});

test('a gone device does not count as an address', async () => {
  const guest = await messaging.guest();
  messaging.sandbox.controls.dropDevice(guest.phone);
  const ready = orderEvents(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.messagesOf(ready);
  expect(await channelFor(messaging.running, guest.customerId)).toBe('email');
});

test('a channel that is not set up does not count', async () => {
  await using running = await startRunning();
  const customerId = randomUUID();
  const snapshot = customerSnapshot(customerId, 1);
  await running.publish(snapshot);
  await running.processed(snapshot);
  expect(await channelFor(running, customerId)).toBe('none');
});
