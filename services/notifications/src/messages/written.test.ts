// covers: writeMessage
// covers: listMessagesOfStore

import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerSeenEvent } from './testing/events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => await messaging[Symbol.asyncDispose]());

async function someGuest(): Promise<Guest> {
  const guest = await messaging.guest();
  await messaging.publish(customerSeenEvent(guest.customerId, guest.storeId, '2026-06-01T12:00:00Z'));
  return guest;
}

const cy = '0190a000-0000-7000-8000-0000000000c1';

async function request({ storeId }: Pick<Guest, 'storeId'>, body?: object, headers: Record<string, string> = {}) {
  const token = await messaging.running.issuer.token({
    typ: 'staff',
    sub: cy,
    name: 'Cy',
    stores: [{ id: storeId, role: 'staff' }],
  });
  const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/stores/${storeId}/messages`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  return { status: response.status, body: (await response.json()) as any };
}

const settled = (guest: Guest) =>
  until(
    async () => {
      const { messages } = (await request(guest)).body;
      return messages.every(({ state }: { state: string }) => state !== 'pending') && messages;
    },
    { describe: 'what was written to be sent' },
  );

test('staff write to a customer, once for a key, and the store sees who wrote what', async () => {
  const guest = await someGuest();
  const key = { 'idempotency-key': randomUUID() };
  const body = { customer_id: guest.customerId, text: 'You left your umbrella here.' };
  const [first, second] = [await request(guest, body, key), await request(guest, body, key)];
  expect(second.body.message.id).toBe(first.body.message.id);
  expect(await settled(guest)).toMatchObject([{ text: body.text, by: { id: cy, name: 'Cy' }, state: 'sent' }]);
  expect(messaging.received(guest)).toMatchObject([{ by: 'fcm', title: 'Bea’s Bakery', text: body.text }]);
});

test('a customer who has muted the store’s messages gets none, and still gets all others', async () => {
  const guest = await someGuest();
  await messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, messages_muted) values (${guest.customerId}, ${guest.storeId}, true)`);
  await request(guest, { customer_id: guest.customerId, text: 'Hello' });
  expect(await settled(guest)).toMatchObject([{ state: 'muted' }]);
  expect(messaging.received(guest)).toEqual([]);
});

test('a customer who has not dealt with the store is not found, nor is an unknown store; a text has 160 characters at most', async () => {
  const [guest, stranger] = [await someGuest(), await messaging.guest()];
  expect((await request(guest, { customer_id: stranger.customerId, text: 'Hello' })).body.error.code).toBe('CUSTOMER_NOT_FOUND');
  const unknown = { storeId: randomUUID() };
  expect((await request(unknown, { customer_id: guest.customerId, text: 'Hello' })).body.error.code).toBe('STORE_NOT_FOUND');
  expect((await request(unknown)).body.error.code).toBe('STORE_NOT_FOUND');
  expect((await request(guest, { customer_id: guest.customerId, text: 'a'.repeat(161) })).body.error.message).toContain('text');
});
