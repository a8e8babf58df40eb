import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { queueCalled, queueLeft, queueNoShow, queueRecalled } from '@corner/contracts';
import type { MessageFaultKind } from '@corner/sandbox/messages';
import { builtProgram } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { queueEvents } from '../testing/events.ts';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { deliverDueMessages } from './deliver-due-messages.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});
afterEach(() => messaging.sandbox.controls.clearFaults());

const hold = '2026-06-01T13:00:00Z';
let count = 0;

async function queueGuest(phone: string | null = `+4477009${String(10_000 + ++count)}`) {
  const entryRef = randomUUID();
  messaging.guestPhones.set(entryRef, phone);
  const events = queueEvents(await messaging.guest(), null, entryRef);
  return { phone, entryRef, events, texts: () => (phone ? messaging.sandbox.inbox.to(phone) : []).map(({ text }) => text) };
}

describe('a guest of the queue', () => {
  test.each([
    ['is called', queueCalled, hold, null, "It is your turn. Bea's Bakery is holding your place until 15:00."],
    ['did not come', queueNoShow, null, null, /^You missed your turn\./],
    ['still waits when the store closes', queueLeft, null, 'closing', /^The queue has closed\. Bea's Bakery/],
  ] as const)('gets one text when the party %s', async (_, event, until, by, text) => {
    const { events, texts } = await queueGuest();
    const change = events(event, 1, until, by);
    await messaging.publish(change, change);
    expect(await messaging.messagesOf(change)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    await messaging.publish({ ...change });
    expect(texts()).toEqual([typeof text === 'string' ? text : expect.stringMatching(text)]);
  });

  test('who was called by mistake gets a text that takes the call back', async () => {
    const { events, texts } = await queueGuest();
    const [called, recalled] = [events(queueCalled, 1, hold), events(queueRecalled, 2)];
    for (const event of [called, recalled]) {
      await messaging.publish(event);
      await messaging.messagesOf(event);
    }
    expect(texts()).toEqual([expect.stringMatching(/^It is your turn/), expect.stringMatching(/^Not your turn yet\. .*keep your place/)]);
  });

  test('gets no text about leaving the queue, and a call that was not sent yet is stopped', async () => {
    const { events, texts } = await queueGuest();
    const [called, left] = [events(queueCalled, 1, hold), events(queueLeft, 2, null, 'owner')];
    await messaging.publish(left, called);
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'superseded', reason: 'newer' })]);
    expect(texts()).toEqual([]);
  });

  test.each([
    ['gave no number', null],
    ['gave a number that does not exist', '+15005550001'],
    ['has opted out', '+15005550004'],
    ['gave the number of a landline', '+15005550009'],
  ])('who %s is unreachable, which is no dead letter', async (_, phone) => {
    const { events } = await queueGuest(phone);
    const called = events(queueCalled, 1, hold);
    await messaging.publish(called);
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable' })]);
  });

  test('whose entry the queue no longer knows is unreachable', async () => {
    const called = queueEvents(await messaging.guest(), null)(queueCalled, 1, hold);
    await messaging.publish(called);
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable' })]);
  });
});

test('a text to a region that the account does not allow is a dead letter, because the operator can allow it', async () => {
  const { events } = await queueGuest('+15005550003');
  const called = events(queueCalled, 1, hold);
  await messaging.publish(called);
  expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'failed', reason: 'twilio 400 21408' })]);
});

describe('when Twilio stumbles', () => {
  test.each(['unavailable', 'too_many', 'hang_up'] as const)('a text is tried again after %s', async (how: MessageFaultKind) => {
    const { events, texts } = await queueGuest();
    messaging.sandbox.controls.fail({ at: 'twilio', how });
    const called = events(queueCalled, 1, hold);
    await messaging.publish(called);
    expect(await messaging.messagesOf(called, ({ attempts }) => attempts === 1)).toEqual([
      expect.objectContaining({ state: 'pending', reason: expect.stringMatching(/^twilio /) }),
    ]);
    messaging.advance({ seconds: 10 });
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'sent', attempts: 2 })]);
    expect(texts()).toHaveLength(1);
  });

  test('a text whose reply was lost is found in Twilio’s list and not sent again', async () => {
    const { events, texts } = await queueGuest();
    messaging.sandbox.controls.fail({ at: 'twilio', how: 'hang_up_after' });
    const called = events(queueCalled, 1, hold);
    await messaging.publish(called);
    await messaging.messagesOf(called, ({ attempts }) => attempts === 1);
    messaging.advance({ seconds: 10 });
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'sent', attempts: 2 })]);
    expect(texts()).toHaveLength(1);
  });

  test('nothing is sent again while the list cannot be read', async () => {
    const { events, texts } = await queueGuest();
    messaging.sandbox.controls.fail({ at: 'twilio', how: 'hang_up_after' });
    messaging.sandbox.controls.fail({ at: 'twilio-list', how: 'unavailable' });
    const called = events(queueCalled, 1, hold);
    await messaging.publish(called);
    await messaging.messagesOf(called, ({ attempts }) => attempts === 1);
    messaging.advance({ seconds: 10 });
    await messaging.messagesOf(called, ({ attempts }) => attempts === 2);
    messaging.advance({ seconds: 30 });
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'sent', attempts: 3 })]);
    expect(texts()).toHaveLength(1);
  });

  test('an older text with the same words is not mistaken for this one', async () => {
    const { events, texts } = await queueGuest();
    const [first, second] = [events(queueNoShow, 1), events(queueNoShow, 3)];
    await messaging.publish(first);
    await messaging.messagesOf(first);
    messaging.advance({ minutes: 10 });
    messaging.sandbox.controls.fail({ at: 'twilio', how: 'unavailable' });
    await messaging.publish(second);
    await messaging.messagesOf(second, ({ attempts }) => attempts === 1);
    messaging.advance({ seconds: 10 });
    await messaging.messagesOf(second);
    messaging.clock.advance({ minutes: -10 });
    expect(texts()).toHaveLength(2);
  });
});

describe('a customer', () => {
  const phone = '+447700900777';
  const sms = () => messaging.sandbox.inbox.to(phone).length;

  test.each([
    ['push', {}, 'fcm', 0],
    ['SMS when they have no device, although they have an e-mail address', { devices: [] }, 'twilio', 1],
    ['e-mail when they have opted out of SMS and have no device', { devices: [], phone: '+15005550004' }, 'smtp', 0],
  ] as const)('is called by %s', async (_, reachable, by, texts) => {
    const before = sms();
    const guest = await messaging.guest({ phone, ...reachable });
    const called = queueEvents(guest)(queueCalled, 1, hold);
    await messaging.publish(called);
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(sms() - before).toBe(texts);
    expect(messaging.received(guest).map((message) => message.by)).toEqual(by === 'twilio' ? [] : [by]);
  });

  test('who joined as a guest is called on the number they gave, when the directory has none', async () => {
    const guest = await messaging.guest({ devices: [], email: null });
    const entryRef = randomUUID();
    messaging.guestPhones.set(entryRef, '+447700900778');
    const called = queueEvents(guest, guest.customerId, entryRef)(queueCalled, 1, hold);
    await messaging.publish(called);
    expect(await messaging.messagesOf(called)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(messaging.sandbox.inbox.to('+447700900778')).toHaveLength(1);
  });
});

test('no log line contains a phone number, Twilio’s token or a text', () => {
  const lines = JSON.stringify(messaging.running.lines);
  for (const secret of ['77009', '5005550', 'corner-sandbox-twilio', 'holding your place']) expect(lines).not.toContain(secret);
});

test('no phone number of a guest is stored', async () => {
  const rows = await messaging.running.service.database.anyFirst(sql.type(z.object({ row: z.string() }))`
    select to_jsonb(m)::text as row from message m union all select payload from dead_letter`);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.join('\n')).not.toMatch(/\+4477009|\+1500555/);
});

// Must be the last test: the other process runs on the system's clock, and deletes as old every message of this file. Its clock is months
// ahead, so for it alone the lease of the topic has ended.
test('a text is not sent again when a replica dies before it has recorded the delivery', async () => {
  const { events, entryRef, texts } = await queueGuest();
  const { database, context } = messaging.running.service;
  await database.query(sql.type(z.object({}))`
    insert into topic (key, newest_sequence, lease_token, lease_expires_at)
    values (${`queue:${entryRef}`}, 0, ${randomUUID()}, '2026-06-01T13:00:00Z')`);
  const missed = events(queueNoShow, 1);
  await messaging.publish(missed);
  const main = await builtProgram('services/notifications/src/main.ts');
  const env = { ...messaging.running.environment, PATH: process.env.PATH ?? '', CRASH_AT: 'notifications.delivery.after-send' };
  const [, signal] = await once(spawn(process.execPath, [main], { env, stdio: 'ignore' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(texts()).toHaveLength(1);
  const leaseExpiresAt = await database.oneFirst(sql.type(z.object({ until: z.string() }))`
    select to_char(max(lease_expires_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until from topic`);
  messaging.clock.set(leaseExpiresAt);
  messaging.advance({ seconds: 2 });
  await deliverDueMessages(context);
  expect(await messaging.messagesOf(missed)).toEqual([expect.objectContaining({ state: 'sent' })]);
  expect(texts()).toHaveLength(1);
  messaging.clock.set('2026-06-01T12:00:00Z');
});
