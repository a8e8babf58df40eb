import { randomUUID } from 'node:crypto';
import {
  listMessages,
  marketingAsk,
  type RpcCallInput,
  type RpcOutput,
  reachCustomer,
  readOrderMessages,
  rpcSubject,
} from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { explainMessages } from './tables/message-lists.ts';
import { orderEvents } from './testing/events.ts';
import { customerSnapshot, type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

describe('messages.list', () => {
  async function list(input: RpcCallInput<typeof listMessages>, by = 'olu'): Promise<RpcOutput<typeof listMessages>> {
    const { broker } = await messaging.running.service.backbone;
    const subject = broker.subject(rpcSubject(listMessages, by));
    const reply = await broker.connection.request(subject, JSON.stringify(input), { timeout: 60_000 });
    return reply.json<{ output: RpcOutput<typeof listMessages> }>().output;
  }

  test('a receipt that went by push, since no mail reached the customer, is listed and explained as a push', async () => {
    const guest = await messaging.guest({ email: null });
    const paid = orderEvents(guest, randomUUID()).paid();
    await messaging.publish(paid);
    messaging.advance({ seconds: 3 });
    await messaging.messagesOf(paid);
    messaging.clock.advance({ seconds: -3 });
    expect(messaging.received(guest).map(({ by }) => by)).toEqual(['fcm']);
    const { messages } = await list({ customer_id: guest.customerId });
    expect(messages).toMatchObject([{ type: 'order.paid', channel: 'push', state: 'sent' }]);
    expect((await list({ customer_id: guest.customerId, channel: 'email' })).messages).toEqual([]);
    const { facts } = await explainMessages(messaging.running.service.database, [paid.id]);
    expect(facts[0]?.sentence).toContain('by push to customer');
  });

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

  test('a list about a customer or an order records who read it, by what the broker and the console vouch for, once an hour', async () => {
    const guest = await messaging.guest();
    const orderId = randomUUID();
    await messaging.publish(orderEvents(guest, orderId).paid());
    const ofCustomer = { customer_id: guest.customerId, store_id: guest.storeId };
    const cy = randomUUID();
    for (const input of [{ order_id: orderId }, ofCustomer, { ...ofCustomer, by: cy, role: 'staff' as const }])
      expect((await list(input)).messages).toHaveLength(1);
    await list({ ...ofCustomer, by: cy, role: 'staff' }, 'console');
    await list({ order_id: orderId, by: 'olu.of@platform.example' }, 'console');
    await list({ store_id: guest.storeId }, 'pia');
    await list({ ...ofCustomer, state: 'failed' }, 'pia');
    const rows = await messaging.running.service.database.any(sql.type(z.object({ data: z.any() }))`
      select data from outbox where type = 'customer_data.read' and data -> 'customer_ids' ? ${guest.customerId} order by id`);
    const read = { store_id: guest.storeId, customer_ids: [guest.customerId], what: 'messages', at: expect.any(String) };
    expect(rows.map(({ data }) => data)).toEqual([
      { ...read, by: { kind: 'operator', id: 'olu' } },
      { ...read, by: { kind: 'staff', id: cy } },
      { ...read, by: { kind: 'operator', id: 'console:olu.of@platform.example' } },
    ]);
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
});

describe('notifications.order-story', () => {
  test('the messages about an order and its refund are those of its customer, without an address, and unsent ones are left out', async () => {
    const [guest, unreachable] = [await messaging.guest(), await messaging.guest({ email: null, devices: [] })];
    const [orderId, other] = [randomUUID(), randomUUID()];
    const { paid, moved, refunded } = orderEvents(guest, orderId);
    const refund = refunded(3);
    for (const event of [paid(), moved('ready', 2), refund, orderEvents(unreachable, other).paid()]) {
      await messaging.publish(event);
      await messaging.messagesOf(event);
    }
    const { broker } = await messaging.running.service.backbone;
    const { refund_id } = refund.data as { refund_id: string };
    const read = async (order_ids: string[], customer_id: string) => {
      const input = JSON.stringify({ order_ids, customer_id, refund_ids: [refund_id] });
      const reply = await broker.connection.request(broker.subject(rpcSubject(readOrderMessages)), input, { timeout: 60_000 });
      return reply.json<{ output: RpcOutput<typeof readOrderMessages> }>().output.messages;
    };
    const messages = await read([orderId], guest.customerId);
    expect(messages.map(({ about, channel, state }) => [about, channel, state])).toEqual([
      ['refunded', 'email', 'sent'],
      ['ready', 'push', 'sent'],
      ['receipt', 'email', 'sent'],
    ]);
    expect(JSON.stringify(messages)).not.toContain(guest.email);
    expect(await read([orderId], unreachable.customerId)).toEqual([]);
    expect(await read([other], unreachable.customerId)).toMatchObject([{ about: 'receipt', state: 'muted' }]);
  });
});

describe('notifications.ask', () => {
  async function mayAsk(customerId: string, storeId: string): Promise<boolean> {
    const { broker } = await messaging.running.service.backbone;
    const input = JSON.stringify({ customer_id: customerId, store_id: storeId });
    const reply = await broker.connection.request(broker.subject(rpcSubject(marketingAsk)), input, { timeout: 60_000 });
    return z.object({ output: marketingAsk.output }).parse(reply.json()).output.ask;
  }

  const insertAsks = (customerId: string, storeId: string, asks: number) =>
    messaging.running.service.database.query(sql.type(z.object({}))`
    insert into marketing_ask (customer_id, store_id, asks) values (${customerId}, ${storeId}, ${asks})`);
  const insertPreference = (customerId: string, storeId: string, marketing: boolean) =>
    messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, marketing_enabled) values (${customerId}, ${storeId}, ${marketing})`);

  test('a customer who has not been asked may be asked', async () => {
    expect(await mayAsk(randomUUID(), randomUUID())).toBe(true);
  });

  test.each([
    [0, true],
    [1, true],
    [2, false],
  ])('after %i asks, the customer may be asked again: %p', async (asks, expected) => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await insertAsks(customerId, storeId, asks);
    expect(await mayAsk(customerId, storeId)).toBe(expected);
  });

  test('a customer who has opted in is not asked again', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await insertPreference(customerId, storeId, true);
    expect(await mayAsk(customerId, storeId)).toBe(false);
  });

  test('a customer whose preferences leave marketing off may be asked', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await insertPreference(customerId, storeId, false);
    expect(await mayAsk(customerId, storeId)).toBe(true);
  });

  test('asks and opt-ins count for their own customer and store only', async () => {
    const [customerId, storeId, other] = [randomUUID(), randomUUID(), randomUUID()];
    await insertAsks(customerId, other, 2);
    await insertPreference(customerId, other, true);
    await insertAsks(other, storeId, 2);
    await insertPreference(other, storeId, true);
    expect(await mayAsk(customerId, storeId)).toBe(true);
  });

  test('calling the RPC does not count as an ask', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await mayAsk(customerId, storeId);
    await mayAsk(customerId, storeId);
    expect(await mayAsk(customerId, storeId)).toBe(true);
  });

  test('the RPC takes one statement', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    messaging.running.statements.length = 0;
    await mayAsk(customerId, storeId);
    expect(messaging.running.statements).toHaveLength(1);
  });
});

describe('notifications.reach', () => {
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
});
