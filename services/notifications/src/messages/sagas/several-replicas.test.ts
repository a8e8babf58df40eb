import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';
import { deliverDueMessages } from './deliver-due-messages.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('eight concurrent deliveries send each message once', async () => {
  const guests = await Promise.all(Array.from({ length: 24 }, () => messaging.guest()));
  const events = guests.map((guest) => orderEvents(guest).moved('ready'));
  // The first attempts fail, so that all messages are due together.
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', times: events.length });
  await messaging.publish(...events);
  await Promise.all(events.map((event) => messaging.messagesOf(event, ({ attempts }) => attempts === 1)));
  messaging.clock.advance({ seconds: 10 });
  const { context } = messaging.running.service;
  await Promise.all(Array.from({ length: 8 }, () => deliverDueMessages(context)));
  await Promise.all(events.map((event) => messaging.messagesOf(event)));
  expect(guests.map((guest) => messaging.received(guest).length)).toEqual(guests.map(() => 1));
});

test('a message is sent again under the same id when a replica dies before it has recorded the delivery', async () => {
  const guest = await messaging.guest({ devices: [] });
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable' });
  const ready = orderEvents(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.messagesOf(ready, ({ attempts }) => attempts === 1);
  // The clock of this process is months behind the other one's, so the message is due there and not here.
  const main = `${import.meta.dirname}/../../main.ts`;
  const env = { ...messaging.running.environment, PATH: process.env.PATH ?? '', CRASH_AT: 'notifications.delivery.after-send' };
  const [, signal] = await once(spawn(process.execPath, [main], { env, stdio: 'ignore' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(messaging.received(guest)).toHaveLength(1);

  const leaseExpiresAt = await messaging.running.service.database.oneFirst(sql.type(z.object({ until: z.string() }))`
    select to_char(max(lease_expires_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until from topic`);
  messaging.clock.set(leaseExpiresAt);
  messaging.advance({ seconds: -86 });
  await deliverDueMessages(messaging.running.service.context);
  expect(messaging.received(guest)).toHaveLength(1);
  messaging.advance({ seconds: 2 });
  expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
  const ids = messaging.received(guest).map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
