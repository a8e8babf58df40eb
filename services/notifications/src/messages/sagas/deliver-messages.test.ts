import type { FarSide, MessageFaultKind } from '@corner/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mostTries } from '../rules/retry-delay.ts';
import { customerSnapshot, type Messaging, type Reachable, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});
afterEach(() => messaging.messages.controls.clearFaults());

const token = 'ab'.repeat(32);
const sides: readonly (readonly [FarSide, Reachable])[] = [
  ['smtp', { devices: [] }],
  ['fcm', { email: null }],
  ['apns', { email: null, devices: [{ id: token, platform: 'ios' }] }],
];

describe.each(sides)('%s', (at, reachable) => {
  test.each(['unavailable', 'too_many', 'hang_up'] as const)('is tried again when it is %s', async (how: MessageFaultKind) => {
    const guest = await messaging.guest(reachable);
    messaging.messages.controls.fail({ at, how, times: 2 });
    const ready = orderNews(guest).moved('ready');
    const before = messaging.messages.inbox.all().length;
    await messaging.publish(ready);
    for (const tries of [1, 2]) {
      expect(await messaging.errandsOf(ready, ({ attempts }) => attempts === tries)).toEqual([
        expect.objectContaining({ state: 'pending', reason: expect.stringMatching(new RegExp(`^${at} `)) }),
      ]);
      messaging.advance({ seconds: 30 });
    }
    expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 3, reason: null })]);
    expect(messaging.messages.inbox.all().length - before).toBe(1);
  });

  test('gets the same id again when its answer was lost', async () => {
    const guest = await messaging.guest(reachable);
    messaging.messages.controls.fail({ at, how: 'hang_up_after' });
    const ready = orderNews(guest).moved('ready');
    const before = messaging.messages.inbox.all().length;
    await messaging.publish(ready);
    await messaging.errandsOf(ready, ({ attempts }) => attempts === 1);
    messaging.advance({ seconds: 10 });
    await messaging.errandsOf(ready);
    const copies = messaging.messages.inbox.all().slice(before);
    const ids = copies.map(({ headers, data }) => headers['message-id'] ?? data.message_id);
    expect(copies).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

test('a far side that names a time is not asked before it', async () => {
  const guest = await messaging.guest();
  messaging.messages.controls.fail({ at: 'fcm', how: 'too_many', to: guest.phone, retryAfterSeconds: 600 });
  const ready = orderNews(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.errandsOf(ready, ({ attempts }) => attempts === 1);
  messaging.advance({ seconds: 590 });
  const other = orderNews(await messaging.guest()).moved('ready');
  await messaging.publish(other);
  await messaging.errandsOf(other);
  expect(await messaging.errandsOf(ready, () => true)).toEqual([expect.objectContaining({ state: 'pending', attempts: 1 })]);
  messaging.advance({ seconds: 10 });
  expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 2 })]);
});

describe('a device that is gone', () => {
  test('makes way for e-mail, and is not asked again although a newer snapshot still names it', async () => {
    const guest = await messaging.guest();
    messaging.messages.controls.dropDevice(guest.phone);
    const ready = orderNews(guest).moved('ready');
    await messaging.publish(ready);
    expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    // Were it asked now, it would take the message.
    messaging.messages.controls.clearFaults();
    await messaging.publish(customerSnapshot(guest.customerId, 2));
    const next = orderNews(guest).moved('ready');
    await messaging.publish(next);
    await messaging.errandsOf(next);
    expect(messaging.received(guest).map(({ by }) => by)).toEqual(['smtp', 'smtp']);
  });

  test('can come back once the directory has dropped it, and not by an older snapshot', async () => {
    const guest = await messaging.guest();
    messaging.messages.controls.dropDevice(guest.phone);
    const first = orderNews(guest).moved('ready');
    await messaging.publish(first);
    await messaging.errandsOf(first);
    messaging.messages.controls.clearFaults();
    await messaging.publish(customerSnapshot(guest.customerId, 5, { devices: [] }), customerSnapshot(guest.customerId, 4));
    const second = orderNews(guest).moved('ready');
    await messaging.publish(second);
    await messaging.errandsOf(second);
    await messaging.publish(customerSnapshot(guest.customerId, 6));
    const third = orderNews(guest).moved('ready');
    await messaging.publish(third);
    await messaging.errandsOf(third);
    expect(messaging.received(guest).map(({ by }) => by)).toEqual(['smtp', 'smtp', 'fcm']);
  });

  test('is no loss while another one lives', async () => {
    const guest = await messaging.guest({
      devices: [
        { id: 'gone-phone', platform: 'android' },
        { id: 'living-browser', platform: 'web' },
      ],
    });
    messaging.messages.controls.dropDevice('gone-phone');
    const ready = orderNews(guest).moved('ready');
    await messaging.publish(ready);
    expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(messaging.messages.inbox.to('living-browser')).toHaveLength(1);
    expect(messaging.received(guest)).toEqual([]);
  });
});

describe('a message that never goes out', () => {
  test('is given up at once when it is refused for good, and kept without what staff wrote', async () => {
    const guest = await messaging.guest({ devices: [] });
    messaging.messages.controls.fail({ at: 'smtp', how: 'refused' });
    const late = orderNews(guest).late(undefined, 1, 'Ask for Ada at the back door.');
    await messaging.publish(late);
    const facts = { order_number: 'S1-1001', new_eta: '2026-06-01T13:30:00Z' };
    expect(await messaging.errandsOf(late)).toEqual([
      { template: 'order.running_late', state: 'failed', reason: 'smtp 550', attempts: 1, facts },
    ]);
    expect(messaging.running.lines).toContainEqual(expect.objectContaining({ level: 'error', reason: 'smtp 550', attempts: 1 }));
  });

  test('is given up after the last try', async () => {
    const guest = await messaging.guest();
    messaging.messages.controls.fail({ at: 'fcm', how: 'unavailable', times: mostTries, to: guest.phone });
    const ready = orderNews(guest).moved('ready');
    await messaging.publish(ready);
    for (let tries = 1; tries < mostTries; tries += 1) {
      await messaging.errandsOf(ready, ({ attempts }) => attempts === tries);
      messaging.advance({ hours: 4 });
    }
    expect(await messaging.errandsOf(ready)).toEqual([
      expect.objectContaining({ state: 'failed', attempts: mostTries, reason: 'fcm 503 UNAVAILABLE' }),
    ]);
  });

  test('is muted for somebody nobody can reach', async () => {
    const guest = await messaging.guest({ email: null, devices: [] });
    const paid = orderNews(guest).paid();
    await messaging.publish(paid);
    expect(await messaging.errandsOf(paid)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable', attempts: 0 })]);
  });
});

test('a receipt goes by push where no e-mail address is known', async () => {
  const guest = await messaging.guest({ email: null });
  const paid = orderNews(guest).paid();
  await messaging.publish(paid);
  await messaging.errandsOf(paid);
  expect(messaging.received(guest)).toEqual([expect.objectContaining({ by: 'fcm', title: 'Receipt for order S1-1001' })]);
});

test('an access token that no longer counts is replaced', async () => {
  const guest = await messaging.guest();
  messaging.messages.controls.expireTokens();
  const ready = orderNews(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.errandsOf(ready, ({ attempts }) => attempts === 1);
  messaging.advance({ seconds: 10 });
  expect(await messaging.errandsOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

test('no line that is logged holds an address, a device, a name or a text', async () => {
  const lines = JSON.stringify(messaging.running.lines);
  for (const secret of ['@example.com', 'phone-', token, 'Ada', 'back door', 'is ready', 'ya29.']) expect(lines).not.toContain(secret);
});
