import type { MessageFaultKind, MessageProvider } from '@corner/sandbox/messages';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { maxAttempts } from '../rules/settlement.ts';
import { customerSnapshot, type Messaging, type Reachable, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});
afterEach(() => messaging.sandbox.controls.clearFaults());

const token = 'ab'.repeat(32);
const providers: readonly (readonly [MessageProvider, Reachable])[] = [
  ['smtp', { devices: [] }],
  ['fcm', { email: null }],
  ['apns', { email: null, devices: [{ id: token, platform: 'ios' }] }],
];

describe.each(providers)('%s', (at, reachable) => {
  test.each(['unavailable', 'too_many', 'hang_up'] as const)(
    'a message is tried again when the provider is %s',
    async (how: MessageFaultKind) => {
      const guest = await messaging.guest(reachable);
      messaging.sandbox.controls.fail({ at, how, times: 2 });
      const ready = orderEvents(guest).moved('ready');
      const previous = messaging.sandbox.inbox.all().length;
      await messaging.publish(ready);
      for (const attempt of [1, 2]) {
        expect(await messaging.messagesOf(ready, ({ attempts }) => attempts === attempt)).toEqual([
          expect.objectContaining({ state: 'pending', reason: expect.stringMatching(new RegExp(`^${at} `)) }),
        ]);
        messaging.advance({ seconds: 30 });
      }
      expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 3, reason: null })]);
      expect(messaging.sandbox.inbox.all().length - previous).toBe(1);
    },
  );

  test('a message whose response was lost is sent again under the same id', async () => {
    const guest = await messaging.guest(reachable);
    messaging.sandbox.controls.fail({ at, how: 'hang_up_after' });
    const ready = orderEvents(guest).moved('ready');
    const previous = messaging.sandbox.inbox.all().length;
    await messaging.publish(ready);
    await messaging.messagesOf(ready, ({ attempts }) => attempts === 1);
    messaging.advance({ seconds: 10 });
    await messaging.messagesOf(ready);
    const copies = messaging.sandbox.inbox.all().slice(previous);
    const ids = copies.map(({ headers, data }) => headers['message-id'] ?? data.message_id);
    expect(copies).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

test('a message is not tried again before the provider’s Retry-After', async () => {
  const guest = await messaging.guest();
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'too_many', to: guest.phone, retryAfterSeconds: 600 });
  const ready = orderEvents(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.messagesOf(ready, ({ attempts }) => attempts === 1);
  messaging.advance({ seconds: 590 });
  const other = orderEvents(await messaging.guest()).moved('ready');
  await messaging.publish(other);
  await messaging.messagesOf(other);
  expect(await messaging.messagesOf(ready, () => true)).toEqual([expect.objectContaining({ state: 'pending', attempts: 1 })]);
  messaging.advance({ seconds: 10 });
  expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 2 })]);
});

describe('a gone device', () => {
  test('the message goes by e-mail instead, and the device is not tried again while snapshots name it', async () => {
    const guest = await messaging.guest();
    messaging.sandbox.controls.dropDevice(guest.phone);
    const ready = orderEvents(guest).moved('ready');
    await messaging.publish(ready);
    expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    // From here on the provider would accept a message for the device.
    messaging.sandbox.controls.clearFaults();
    await messaging.publish(customerSnapshot(guest.customerId, 2));
    const next = orderEvents(guest).moved('ready');
    await messaging.publish(next);
    await messaging.messagesOf(next);
    expect(messaging.received(guest).map(({ by }) => by)).toEqual(['smtp', 'smtp']);
  });

  test('the device comes back once a snapshot has dropped it, but not by an older snapshot', async () => {
    const guest = await messaging.guest();
    messaging.sandbox.controls.dropDevice(guest.phone);
    const first = orderEvents(guest).moved('ready');
    await messaging.publish(first);
    await messaging.messagesOf(first);
    messaging.sandbox.controls.clearFaults();
    await messaging.publish(customerSnapshot(guest.customerId, 5, { devices: [] }), customerSnapshot(guest.customerId, 4));
    const second = orderEvents(guest).moved('ready');
    await messaging.publish(second);
    await messaging.messagesOf(second);
    await messaging.publish(customerSnapshot(guest.customerId, 6));
    const third = orderEvents(guest).moved('ready');
    await messaging.publish(third);
    await messaging.messagesOf(third);
    expect(messaging.received(guest).map(({ by }) => by)).toEqual(['smtp', 'smtp', 'fcm']);
  });

  test('the message goes to the customer’s other device', async () => {
    const guest = await messaging.guest({
      devices: [
        { id: 'gone-phone', platform: 'android' },
        { id: 'living-browser', platform: 'web' },
      ],
    });
    messaging.sandbox.controls.dropDevice('gone-phone');
    const ready = orderEvents(guest).moved('ready');
    await messaging.publish(ready);
    expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(messaging.sandbox.inbox.to('living-browser')).toHaveLength(1);
    expect(messaging.received(guest)).toEqual([]);
  });
});

describe('a message that cannot be sent', () => {
  test('fails at once when the provider rejects it, and is stored without staff’s note', async () => {
    const guest = await messaging.guest({ devices: [] });
    messaging.sandbox.controls.fail({ at: 'smtp', how: 'refused' });
    const late = orderEvents(guest).late(undefined, 1, 'Ask for Ada at the rear gate.');
    await messaging.publish(late);
    const data = { order_number: 'S1-1001', new_eta: '2026-06-01T13:30:00Z' };
    expect(await messaging.messagesOf(late)).toEqual([
      { template: 'order.running_late', state: 'failed', reason: 'smtp 550', attempts: 1, data },
    ]);
    expect(messaging.running.lines).toContainEqual(expect.objectContaining({ level: 'error', reason: 'smtp 550', attempts: 1 }));
  });

  test('fails after the last attempt', async () => {
    const guest = await messaging.guest();
    messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', times: maxAttempts, to: guest.phone });
    const ready = orderEvents(guest).moved('ready');
    await messaging.publish(ready);
    for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
      await messaging.messagesOf(ready, ({ attempts }) => attempts === attempt);
      messaging.advance({ hours: 4 });
    }
    expect(await messaging.messagesOf(ready)).toEqual([
      expect.objectContaining({ state: 'failed', attempts: maxAttempts, reason: 'fcm 503 UNAVAILABLE' }),
    ]);
  });

  test('is muted when the customer has no address', async () => {
    const guest = await messaging.guest({ email: null, devices: [] });
    const paid = orderEvents(guest).paid();
    await messaging.publish(paid);
    expect(await messaging.messagesOf(paid)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable', attempts: 0 })]);
  });
});

test('a receipt goes by push when the customer has no e-mail address', async () => {
  const guest = await messaging.guest({ email: null });
  const paid = orderEvents(guest).paid();
  await messaging.publish(paid);
  await messaging.messagesOf(paid);
  expect(messaging.received(guest)).toEqual([expect.objectContaining({ by: 'fcm', title: 'Receipt for order S1-1001' })]);
});

test('an expired access token is replaced', async () => {
  const guest = await messaging.guest();
  messaging.sandbox.controls.expireTokens();
  const ready = orderEvents(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.messagesOf(ready, ({ attempts }) => attempts === 1);
  messaging.advance({ seconds: 10 });
  expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

test('no log line contains an address, a device, a name or a text', async () => {
  const lines = JSON.stringify(messaging.running.lines);
  for (const secret of ['@example.com', 'phone-', token, 'Ada', 'rear gate', 'is ready', 'ya29.']) expect(lines).not.toContain(secret);
});
