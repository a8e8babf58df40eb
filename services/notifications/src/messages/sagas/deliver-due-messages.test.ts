import { randomUUID } from 'node:crypto';
import {
  directoryStore,
  type Envelope,
  type Language,
  queueAssigned,
  queueCalled,
  queueLeft,
  queueNoShow,
  queueRecalled,
  queueReopened,
  stampApproved,
  stampPending,
  stampUndone,
} from '@corner/contracts';
import type { MessageFaultKind, MessageProvider } from '@corner/sandbox/messages';
import { envelopeOf } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { maxAttempts } from '../rules/delivery.ts';
import { cardEvents, orderEvents, queueEvents } from '../testing/events.ts';
import { customerSnapshot, type Guest, type Messaging, type Reachable, startMessaging } from '../testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

describe('the newest event on a topic wins', () => {
  type CreateEvents = (guest: Guest) => { readonly newer: Envelope; readonly older: Envelope };

  const eventPairs: readonly (readonly [string, number, CreateEvents])[] = [
    ['ready, older than collected', 0, (g) => pair(orderEvents(g), (o) => [o.moved('ready', 4), o.moved('collected', 5)])],
    ['accepted, older than preparing', 0, (g) => pair(orderEvents(g), (o) => [o.moved('accepted', 2), o.moved('preparing', 3)])],
    ['accepted, older than ready', 1, (g) => pair(orderEvents(g), (o) => [o.moved('accepted', 2), o.moved('ready', 4)])],
    ['ready, older than cancelled', 1, (g) => pair(orderEvents(g), (o) => [o.moved('ready', 4), o.cancelled(5)])],
    ['a delay, older than another delay', 1, (g) => pair(orderEvents(g), (o) => [o.late(undefined, 3), o.late('2026-06-01T14:00:00Z', 4)])],
    ['a delay, older than ready', 1, (g) => pair(orderEvents(g), (o) => [o.late(undefined, 3), o.moved('ready', 4)])],
    ['a delay, older than a new slot', 1, (g) => pair(orderEvents(g), (o) => [o.late(undefined, 3), o.slotMoved(4)])],
    ['a refund, older than its failure', 1, (g) => pair(orderEvents(g), (o) => [o.refunded(3), o.refundFailed(4)])],
    ['a stamp, older than its undoing', 1, (g) => pair(cardEvents(g), (c) => [c.stamp(stampApproved, 2), c.stamp(stampUndone, 3, 3)])],
    ['a stamp in review, older than its approval', 1, (g) => pairForOneStamp(g)],
    ['a stamp, older than a multi-stamp', 1, (g) => pair(cardEvents(g), (c) => [c.stamp(stampApproved, 2), c.several(3)])],
    [
      'a call, older than the recall',
      0,
      (g) => pair(queueEvents(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueRecalled, 3)]),
    ],
    [
      'a call, older than the assignment',
      0,
      (g) => pair(queueEvents(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueAssigned, 3)]),
    ],
    ['a no-show, older than its undoing', 0, (g) => pair(queueEvents(g), (q) => [q(queueNoShow, 3), q(queueReopened, 4)])],
    ['a call, older than leaving', 0, (g) => pair(queueEvents(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueLeft, 3)])],
  ];

  function pair<T>(events: T, choose: (events: T) => readonly [Envelope, Envelope]) {
    const [older, newer] = choose(events);
    return { older, newer };
  }
  function pairForOneStamp(guest: Guest) {
    const [card, id] = [cardEvents(guest), randomUUID()];
    return { older: card.stamp(stampPending, 1, 3, id), newer: card.stamp(stampApproved, 2, 4, id) };
  }

  describe.each(eventPairs)('%s', (_, messages, createEvents) => {
    test('a message about the older event is not sent when the event arrives late', async () => {
      const guest = await messaging.guest();
      const { newer, older } = createEvents(guest);
      await messaging.publish(newer);
      messaging.advance({ seconds: 3 });
      if (messages > 0) await messaging.messagesOf(newer, ({ state }) => state === 'sent');
      await messaging.publish(older);
      messaging.advance({ seconds: 3 });
      expect(await messaging.messagesOf(older)).toEqual([expect.objectContaining({ state: 'superseded', reason: 'newer' })]);
      expect(messaging.received(guest)).toHaveLength(messages);
    });
  });

  test('of the messages that wait on one topic only the newest is sent', async () => {
    const guest = await messaging.guest();
    const card = cardEvents(guest);
    const stamps = [1, 2, 3, 4].map((n) => card.stamp(stampApproved, n, n));
    await messaging.publish(...stamps);
    messaging.advance({ seconds: 3 });
    await Promise.all(stamps.map((stamp) => messaging.messagesOf(stamp)));
    expect(messaging.received(guest).map(({ text }) => text)).toEqual([expect.stringContaining('4 of 10')]);
  });

  test('a late notice of a new time is sent although the order has moved a step', async () => {
    const guest = await messaging.guest();
    const order = orderEvents(guest);
    await messaging.publish(order.moved('preparing', 4));
    const late = order.late(undefined, 3);
    await messaging.publish(late);
    expect(await messaging.messagesOf(late)).toEqual([expect.objectContaining({ state: 'sent' })]);
  });

  test('orders of the same customer have separate topics', async () => {
    const guest = await messaging.guest();
    const [one, other] = [orderEvents(guest).moved('ready', 7), orderEvents(guest).moved('ready', 2)];
    await messaging.publish(one, other);
    await Promise.all([messaging.messagesOf(one), messaging.messagesOf(other)]);
    expect(messaging.received(guest)).toHaveLength(2);
  });

  test('a call is not sent after the hold on the place has expired', async () => {
    const guest = await messaging.guest();
    const call = queueEvents(guest)(queueCalled, 1, '2026-06-01T12:00:00Z');
    await messaging.publish(call);
    expect(await messaging.messagesOf(call)).toEqual([expect.objectContaining({ state: 'superseded', reason: 'expired' })]);
    expect(messaging.received(guest)).toEqual([]);
  });

  test('a recall is sent to a customer who was sent the call, and then a new call', async () => {
    const guest = await messaging.guest();
    const entry = queueEvents(guest);
    const events = [entry(queueCalled, 2, '2026-06-01T13:00:00Z'), entry(queueRecalled, 3), entry(queueCalled, 4, '2026-06-01T13:00:00Z')];
    for (const event of events) {
      await messaging.publish(event, event);
      await messaging.messagesOf(event);
    }
    expect(messaging.received(guest).map(({ title }) => title)).toEqual(['It is your turn', 'Not your turn yet', 'It is your turn']);
  });

  test('a customer who was notified that the order is ready is notified that it is not, and then that it is', async () => {
    const guest = await messaging.guest();
    const order = orderEvents(guest);
    const events = [order.moved('ready', 2, 'preparing'), order.moved('preparing', 3, 'ready'), order.moved('ready', 4, 'preparing')];
    for (const event of events) {
      await messaging.publish(event, event);
      await messaging.messagesOf(event);
    }
    const isReady = 'Order S1-1001 is ready';
    expect(messaging.received(guest).map(({ title }) => title)).toEqual([isReady, 'Order S1-1001 is not ready yet', isReady]);
  });

  test('"ready" that was not sent before the correction is sent once, when it is true', async () => {
    const guest = await messaging.guest();
    const order = orderEvents(guest);
    await messaging.publish(order.moved('preparing', 3, 'ready'), order.moved('ready', 2, 'preparing'));
    expect(messaging.received(guest)).toEqual([]);
    const ready = order.moved('ready', 4, 'preparing');
    await messaging.publish(ready);
    await messaging.messagesOf(ready);
    expect(messaging.received(guest).map(({ title }) => title)).toEqual(['Order S1-1001 is ready']);
  });

  test('a cancelled unpaid order and a refund that was never accepted make no message', async () => {
    const guest = await messaging.guest();
    await messaging.publish(orderEvents(guest).cancelled(2, false), orderEvents(guest).refundFailed(3, false));
    const after = orderEvents(guest).moved('ready');
    await messaging.publish(after);
    await messaging.messagesOf(after);
    expect(messaging.received(guest).map(({ title }) => title)).toEqual(['Order S1-1001 is ready']);
  });
});

describe('what is read when a message is sent', () => {
  test('a preference that changes while a message waits applies to it', async () => {
    const guest = await messaging.guest();
    const stamp = cardEvents(guest).stamp(stampApproved);
    await messaging.publish(stamp);
    await messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, stamp_events_enabled) values (${guest.customerId}, ${guest.storeId}, false)`);
    messaging.advance({ seconds: 2 });
    expect(await messaging.messagesOf(stamp)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unwanted' })]);
    expect(messaging.received(guest)).toEqual([]);
  });

  test('a message goes to the customer’s newest address with the store’s newest name', async () => {
    const guest = await messaging.guest();
    const stamp = cardEvents(guest).stamp(stampApproved);
    await messaging.publish(stamp);
    const { storeId, customerId } = guest;
    const renamed = { id: storeId, version: 2, code: 'S1', name: 'Ben’s Bakery' };
    await messaging.publish(
      envelopeOf(directoryStore, renamed, { aggregateId: storeId, sequence: 2, storeId }),
      customerSnapshot(customerId, 2, { devices: [] }),
    );
    messaging.advance({ seconds: 2 });
    await messaging.messagesOf(stamp);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ by: 'smtp', text: expect.stringContaining('Ben’s Bakery') })]);
  });

  test.each<[string, Language | null, Language, string]>([
    ['the customer’s language', 'fr', 'en', 'La commande S1-1001 est prête'],
    ['the customer’s language, whatever the store’s', 'en', 'fr', 'Order S1-1001 is ready'],
    ['the store’s language when the customer’s is unknown', null, 'fr', 'La commande S1-1001 est prête'],
  ])('a message is written in %s', async (_, language, storeLanguage, title) => {
    const guest = await messaging.guest({ devices: [] });
    const { customerId, storeId } = guest;
    const store = { id: storeId, version: 2, code: 'S1', name: 'Bea’s Bakery', language: storeLanguage };
    const ready = orderEvents(guest).moved('ready');
    await messaging.publish(
      envelopeOf(directoryStore, store, { aggregateId: storeId, sequence: 2, storeId }),
      customerSnapshot(customerId, 2, { devices: [], language }),
    );
    await messaging.publish(ready);
    await messaging.messagesOf(ready);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ by: 'smtp', title })]);
  });

  test('a message of an unknown store and customer’s language is in English', async () => {
    const guest = await messaging.guest();
    const ready = orderEvents({ ...guest, storeId: randomUUID() }).moved('ready');
    await messaging.publish(ready);
    await messaging.messagesOf(ready);
    expect(messaging.received(guest)).toEqual([
      expect.objectContaining({ text: expect.stringContaining('Your order at your store is ready.') }),
    ]);
  });
});

describe('deliverDueMessages', () => {
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
      await messaging.publish(customerSnapshot(guest.customerId, 5, { devices: [] }));
      // The stream keeps only the last snapshot of an object, so the newer one must be processed first.
      await messaging.publish(customerSnapshot(guest.customerId, 4));
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
});
