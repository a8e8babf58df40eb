import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';
import { deliverErrands } from './deliver-messages.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('eight workers at once send each message once', async () => {
  const guests = await Promise.all(Array.from({ length: 24 }, () => messaging.guest()));
  const events = guests.map((guest) => orderNews(guest).moved('ready'));
  // All of them wait, so that the workers find them together.
  messaging.messages.controls.fail({ at: 'fcm', how: 'unavailable', times: events.length });
  await messaging.publish(...events);
  await Promise.all(events.map((event) => messaging.errandsOf(event, ({ attempts }) => attempts === 1)));
  messaging.clock.advance({ seconds: 10 });
  const { context } = messaging.running.service;
  await Promise.all(Array.from({ length: 8 }, () => deliverErrands(context)));
  await Promise.all(events.map((event) => messaging.errandsOf(event)));
  expect(guests.map((guest) => messaging.received(guest).length)).toEqual(guests.map(() => 1));
});

test('a worker that dies between sending and writing it down is stood in for, under the same message id', async () => {
  const guest = await messaging.guest({ devices: [] });
  messaging.messages.controls.fail({ at: 'smtp', how: 'unavailable' });
  const ready = orderNews(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.errandsOf(ready, ({ attempts }) => attempts === 1);
  // Our clock stands still months before the other process's: the errand is due there, and not here.
  const main = `${import.meta.dirname}/../main.ts`;
  const env = { ...messaging.running.environment, PATH: process.env.PATH ?? '', CRASH_AT: 'errand-sent' };
  const [, signal] = await once(spawn(process.execPath, [main], { env, stdio: 'ignore' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(messaging.received(guest)).toHaveLength(1);

  const leased = await messaging.running.service.database.oneFirst(sql.type(z.object({ until: z.string() }))`
    select to_char(max(leased_until) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until from topic`);
  messaging.clock.set(leased);
  messaging.advance({ seconds: -1 });
  await deliverErrands(messaging.running.service.context);
  expect(messaging.received(guest)).toHaveLength(1);
  messaging.advance({ seconds: 2 });
  expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
  const ids = messaging.received(guest).map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
