import { directoryStore, stampApproved } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { cardNews } from '../testing/card-events.ts';
import { customerSnapshot, type Messaging, startMessaging } from '../testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('a wish that changes while a message waits counts', async () => {
  const guest = await messaging.guest();
  const stamp = cardNews(guest).stamp(stampApproved);
  await messaging.publish(stamp);
  await messaging.running.service.database.query(sql.type(z.object({}))`
    insert into preference (customer_id, store_id, stamp_events_enabled) values (${guest.customerId}, ${guest.storeId}, false)`);
  messaging.advance({ seconds: 2 });
  expect(await messaging.errandsOf(stamp)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unwanted' })]);
  expect(messaging.received(guest)).toEqual([]);
});

test('a message goes where the customer can be reached when it goes, with the name the store has then', async () => {
  const guest = await messaging.guest();
  const stamp = cardNews(guest).stamp(stampApproved);
  await messaging.publish(stamp);
  const { storeId, customerId } = guest;
  const renamed = { id: storeId, version: 2, code: 'S1', name: 'Ben’s Bakery' };
  await messaging.publish(
    envelopeOf(directoryStore, renamed, { aggregateId: storeId, sequence: 2, storeId }),
    customerSnapshot(customerId, 2, { devices: [] }),
  );
  messaging.advance({ seconds: 2 });
  await messaging.errandsOf(stamp);
  expect(messaging.received(guest)).toEqual([expect.objectContaining({ by: 'smtp', text: expect.stringContaining('Ben’s Bakery') })]);
});
