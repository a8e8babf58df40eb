import { randomUUID } from 'node:crypto';
import { listMessages, type RpcCallInput, type RpcOutput, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

async function list(input: RpcCallInput<typeof listMessages>): Promise<RpcOutput<typeof listMessages>> {
  const { broker } = await messaging.running.service.backbone;
  const subject = broker.subject(rpcSubject(listMessages, 'olu'));
  const reply = await broker.connection.request(subject, JSON.stringify(input), { timeout: 60_000 });
  return reply.json<{ output: RpcOutput<typeof listMessages> }>().output;
}

test('a customer’s messages are listed newest first, with masked addresses and without text', async () => {
  const guest = await messaging.guest();
  const orderId = randomUUID();
  const { paid, moved, refunded } = orderEvents(guest, orderId);
  for (const event of [paid(), moved('ready', 2), refunded(3)]) {
    await messaging.publish(event);
    await messaging.messagesOf(event);
  }
  const { messages, next } = await list({ customer_id: guest.customerId });
  expect(messages.map(({ type, order_id, masked_address }) => [type, order_id, masked_address])).toEqual([
    ['order.refunded', null, `${guest.email.slice(0, 1)}…@example.com`],
    ['order.ready', orderId, `…${guest.phone.slice(-2)}`],
    ['order.paid', orderId, `${guest.email.slice(0, 1)}…@example.com`],
  ]);
  expect(messages[0]).toMatchObject({ state: 'sent', sent_at: '2026-06-01T12:00:00.000000Z', attempts: 1, store_id: guest.storeId });
  expect(next).toBeNull();
  expect(JSON.stringify(messages)).not.toContain(guest.email);
  expect(JSON.stringify(messages)).not.toContain('S1-1001');

  expect((await list({ order_id: orderId })).messages.map(({ type }) => type)).toEqual(['order.ready', 'order.paid']);
  expect((await list({ store_id: guest.storeId, channel: 'email', state: 'sent' })).messages.map(({ type }) => type)).toEqual([
    'order.refunded',
    'order.paid',
  ]);
  expect((await list({ customer_id: guest.customerId, state: 'failed' })).messages).toEqual([]);
});

test('a page has 50, the next one begins after it, and the counts are those of the last day', async () => {
  const guest = await messaging.guest({ email: null, devices: [] });
  const events = Array.from({ length: 51 }, () => orderEvents(guest, randomUUID()).paid());
  await messaging.publish(...events);
  const first = await list({ store_id: guest.storeId });
  expect(first.messages).toHaveLength(50);
  const second = await list({ store_id: guest.storeId, after: first.next ?? '' });
  expect(second.messages).toHaveLength(1);
  expect(second.next).toBeNull();
  expect(new Set([...first.messages, ...second.messages].map(({ message_id }) => message_id)).size).toBe(51);
  expect(second.messages).toMatchObject([{ state: 'muted', error: 'unreachable', masked_address: null }]);
  const muted = () =>
    list({}).then(({ counts }) => counts.find(({ channel, state }) => channel === 'email' && state === 'muted')?.count ?? 0);
  expect(await muted()).toBe(51);
  messaging.advance({ hours: 25 });
  expect(await muted()).toBe(0);
});
