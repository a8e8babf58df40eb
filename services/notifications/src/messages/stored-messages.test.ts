import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { dropOldMessages } from './jobs.ts';
import { explainMessages } from './tables/message-lists.ts';
import { orderEvents } from './testing/events.ts';
import { type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('a message finished more than 30 days ago is deleted, then its topic; a pending message is kept', async () => {
  const { context, database } = messaging.running.service;
  const stored = async () => [
    ...(await database.anyFirst(sql.type(z.object({ state: z.string() }))`select state from message order by state`)),
    await database.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) from topic`),
  ];
  const sent = orderEvents(await messaging.guest()).paid();
  const waiting = orderEvents(await messaging.guest()).paid();
  await messaging.publish(sent);
  await messaging.messagesOf(sent);
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable', times: 99 });
  await messaging.publish(waiting);
  await messaging.messagesOf(waiting, ({ attempts }) => attempts === 1);
  await database.query(sql.type(z.object({}))`update topic set updated_at = '2026-05-01T00:00:00Z'`);
  messaging.clock.advance({ days: 29 });
  await dropOldMessages(context);
  expect((await stored()).filter((state) => state === 'sent')).toHaveLength(1);
  messaging.clock.advance({ days: 2 });
  // A topic is deleted by the run after the one that deleted its last message.
  await dropOldMessages(context);
  await dropOldMessages(context);
  expect(await stored()).toEqual(['pending', 1]);
});

test('a failed message is kept until its dead letter is settled', async () => {
  const { context, database } = messaging.running.service;
  messaging.sandbox.controls.clearFaults();
  const guest = await messaging.guest({ devices: [] });
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'refused', to: guest.email });
  const refused = orderEvents(guest).paid();
  await messaging.publish(refused);
  expect(await messaging.messagesOf(refused)).toMatchObject([{ state: 'failed' }]);
  messaging.clock.advance({ days: 31 });
  await dropOldMessages(context);
  expect(await messaging.messagesOf(refused)).toHaveLength(1);
  await database.query(sql.type(z.object({}))`
    update dead_letter set settled_at = now(), settled_as = 'discarded', settled_by = 'cy', settled_reason = 'too late'`);
  await dropOldMessages(context);
  const remaining = sql.type(z.object({ count: z.number() }))`select count(*) from message where event_id = ${refused.id}`;
  expect(await database.oneFirst(remaining)).toBe(0);
});

const explained = (...ids: readonly string[]) => explainMessages(messaging.running.service.database, ids);

test('a message is explained by its own id and by its event’s id, without address or text', async () => {
  const guest = await messaging.guest({ devices: [] });
  const [sent, refused] = [orderEvents(guest).late(undefined, 1, 'Ask for Ada.'), orderEvents(guest).paid()];
  await messaging.publish(sent);
  await messaging.messagesOf(sent);
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'refused' });
  await messaging.publish(refused);
  await messaging.messagesOf(refused);
  const explanation = (template: string, channel: string, state: string, end: string) => [
    `A message (${template}) by ${channel} to customer ${guest.customerId} was created; it is now ${state} after 1 attempt.`,
    `The message (${template}) to customer ${guest.customerId} was ${end}.`,
  ];
  const { facts, also } = await explained(sent.id);
  expect(also).toEqual([]);
  expect(facts).toMatchObject(facts.map(() => ({ store_id: guest.storeId, customer_id: guest.customerId })));
  expect(facts.map(({ sentence }) => sentence).toSorted()).toEqual(explanation('order.running_late', 'email', 'sent', 'sent'));
  const { facts: failure } = await explained(refused.id);
  expect(failure.map(({ sentence }) => sentence).toSorted()).toEqual(explanation('order.paid', 'email', 'failed', 'failed: smtp 550'));
  const Id = z.object({ id: z.string() });
  const id = await messaging.running.service.database.oneFirst(sql.type(Id)`select id from message where event_id = ${sent.id}`);
  expect(await explained(id)).toEqual({ facts, also });
  expect(facts.every((fact) => fact.event_id === sent.id)).toBe(true);
  for (const hidden of [guest.email, 'Ada', 'expects it']) expect(JSON.stringify([facts, failure])).not.toContain(hidden);
});

test('an unknown id has no explanation', async () => {
  expect(await explained(randomUUID(), "'; drop")).toEqual({ facts: [], also: [] });
});
