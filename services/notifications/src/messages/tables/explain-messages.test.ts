import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';
import { explainErrands } from './explain-messages.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

const explained = (...ids: readonly string[]) => explainErrands(messaging.running.service.database, ids);

test('a message’s story is the same by its event and by its own id: what became of it, without address or text', async () => {
  const guest = await messaging.guest({ devices: [] });
  const [sent, refused] = [orderNews(guest).late(undefined, 1, 'Ask for Ada.'), orderNews(guest).paid()];
  await messaging.publish(sent);
  await messaging.errandsOf(sent);
  messaging.messages.controls.fail({ at: 'smtp', how: 'refused' });
  await messaging.publish(refused);
  await messaging.errandsOf(refused);
  const about = (template: string, way: string, state: string, end: string) => [
    `A message (${template}) by ${way} to customer ${guest.customerId} was made; it is now ${state} after 1 tries.`,
    `The message (${template}) to customer ${guest.customerId} was ${end}.`,
  ];
  const { facts, also } = await explained(sent.id);
  expect(also).toEqual([]);
  expect(facts.map(({ sentence }) => sentence).toSorted()).toEqual(about('order.running_late', 'push', 'sent', 'sent'));
  const { facts: failure } = await explained(refused.id);
  expect(failure.map(({ sentence }) => sentence).toSorted()).toEqual(about('order.paid', 'email', 'failed', 'failed: smtp 550'));
  const Id = z.object({ id: z.string() });
  const id = await messaging.running.service.database.oneFirst(sql.type(Id)`select id from errand where event_id = ${sent.id}`);
  expect(await explained(id)).toEqual({ facts, also });
  expect(facts.every((fact) => fact.event_id === sent.id)).toBe(true);
  for (const hidden of [guest.email, 'Ada', 'expects it']) expect(JSON.stringify([facts, failure])).not.toContain(hidden);
});

test('nothing is on record under what nobody knows', async () => {
  expect(await explained(randomUUID(), "'; drop")).toEqual({ facts: [], also: [] });
});
