import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';
import { dropOldErrands } from './drop-old-messages.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('what is long settled goes, and then its topic; what waits stays', async () => {
  const { context, database } = messaging.running.service;
  const kept = async () => [
    ...(await database.anyFirst(sql.type(z.object({ state: z.string() }))`select state from errand order by state`)),
    await database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from topic`),
  ];
  const sent = orderNews(await messaging.guest()).paid();
  const waiting = orderNews(await messaging.guest()).paid();
  await messaging.publish(sent);
  await messaging.errandsOf(sent);
  messaging.messages.controls.fail({ at: 'smtp', how: 'unavailable', times: 99 });
  await messaging.publish(waiting);
  await messaging.errandsOf(waiting, ({ attempts }) => attempts === 1);
  await database.query(sql.type(z.object({}))`update topic set touched_at = '2026-05-01T00:00:00Z'`);
  messaging.clock.advance({ days: 29 });
  await dropOldErrands(context);
  expect((await kept()).filter((state) => state === 'sent')).toHaveLength(1);
  messaging.clock.advance({ days: 2 });
  // A topic goes with the run after the one that took its last errand.
  await dropOldErrands(context);
  await dropOldErrands(context);
  expect(await kept()).toEqual(['pending', 1]);
});

test('what was given up stays until somebody settles its dead letter', async () => {
  const { context, database } = messaging.running.service;
  messaging.messages.controls.clearFaults();
  const guest = await messaging.guest({ devices: [] });
  messaging.messages.controls.fail({ at: 'smtp', how: 'refused', to: guest.email });
  const refused = orderNews(guest).paid();
  await messaging.publish(refused);
  expect(await messaging.errandsOf(refused)).toMatchObject([{ state: 'failed' }]);
  messaging.clock.advance({ days: 31 });
  await dropOldErrands(context);
  expect(await messaging.errandsOf(refused)).toHaveLength(1);
  await database.query(sql.type(z.object({}))`
    update dead_letter set settled_at = now(), settled_as = 'discarded', settled_by = 'cy', settled_reason = 'too late'`);
  await dropOldErrands(context);
  const left = sql.type(z.object({ count: z.number() }))`select count(*) from errand where event_id = ${refused.id}`;
  expect(await database.oneFirst(left)).toBe(0);
});
