import { randomUUID } from 'node:crypto';
import { directoryStore, type Language, stampApproved } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { cardEvents } from '../testing/card-events.ts';
import { customerSnapshot, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

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
