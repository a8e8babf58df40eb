import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';
import { explainMessages } from './explain-messages.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
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
  expect(facts.map(({ sentence }) => sentence).toSorted()).toEqual(explanation('order.running_late', 'push', 'sent', 'sent'));
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
