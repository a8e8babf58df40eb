import { type Envelope, stampApproved } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { cardEvents } from './testing/card-events.ts';
import { type Messaging, startMessaging } from './testing/messaging.ts';
import { orderEvents } from './testing/order-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
  // At its start the consumer reads the directory itself, and would process once more what it is then delivered.
  const { consumers } = await messaging.running.service.backbone;
  await until(() => consumers.state.pulling.has('directory'), { describe: 'the consumer to pull the directory' });
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

/** What each statement does, by its text. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['inbox', /into inbox/],
  ['record', /into topic.*into message/s],
  ['cards', /into pass_card/],
  ['other', /./],
];

/** Publishes an event and returns what the statements do that it takes. */
async function statementsOf(event: Envelope): Promise<readonly (string | undefined)[]> {
  messaging.running.statements.length = 0;
  await messaging.publish(event);
  return messaging.running.statements.map((text) => kinds.find(([, pattern]) => pattern.test(text))?.[0]);
}

/** How often the job that delivers has settled messages so far. What a lease takes is tested with the deliverer. */
const settlements = () => messaging.running.backgroundStatements.filter((text) => text.includes('update message')).length;

test('a paid order whose receipt is sent takes two statements to record, and one to settle', async () => {
  const guest = await messaging.guest();
  const event = orderEvents(guest).paid();
  const before = settlements();
  expect(await statementsOf(event)).toEqual(['inbox', 'record']);
  expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'sent' })]);
  expect(settlements() - before).toBe(1);
});

test('a paid order of a customer without an address takes two statements, and its message says why it was not sent', async () => {
  const guest = await messaging.guest({ email: null, devices: [] });
  const event = orderEvents(guest).paid();
  expect(await statementsOf(event)).toEqual(['inbox', 'record']);
  expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable', attempts: 0 })]);
});

test('an approved stamp takes three statements to record, and one to settle once its message is due', async () => {
  const guest = await messaging.guest();
  const event = cardEvents(guest).stamp(stampApproved);
  const before = settlements();
  expect(await statementsOf(event)).toEqual(['inbox', 'record', 'cards']);
  messaging.advance({ seconds: 3 });
  expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'sent' })]);
  expect(settlements() - before).toBe(1);
});

test('a batch of events of different customers takes as many statements as one event', async () => {
  const guests = await Promise.all(Array.from({ length: 12 }, () => messaging.guest({ email: null, devices: [] })));
  const events = guests.map((guest) => orderEvents(guest).paid());
  const { database } = messaging.running.service;
  messaging.running.statements.length = 0;
  await Promise.all(events.map((event) => messaging.running.publish(event)));
  await messaging.running.processed(...events);
  const recorded = messaging.running.statements.filter((text) => text.includes('into interaction')).length;
  const batches = messaging.running.statements.filter((text) => text.includes('into inbox')).length;
  expect(recorded).toBe(batches);
  const rows = await database.any(sql.type(z.object({ state: z.string() }))`
    select state from message where event_id = any(${sql.array(
      events.map(({ id }) => id),
      'uuid',
    )})`);
  expect(rows.map(({ state }) => state)).toEqual(events.map(() => 'muted'));
});

test('events of a batch that meet on a customer’s store, a topic and a stamp are recorded together', async () => {
  const guest = await messaging.guest();
  const card = cardEvents(guest);
  const id = '0190a000-0000-7000-8000-00000000abcd';
  const [one, again, next] = [card.stamp(stampApproved, 1, 1, id), card.stamp(stampApproved, 2, 1, id), card.stamp(stampApproved, 3, 2)];
  await Promise.all([one, again, next].map((event) => messaging.running.publish(event)));
  await messaging.running.processed(one, again, next);
  messaging.advance({ seconds: 3 });
  await until(async () => messaging.received(guest).length > 0, { describe: 'the message of the newest' });
  for (const event of [one, again]) expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'superseded' })]);
  expect(await messaging.messagesOf(next)).toEqual([expect.objectContaining({ state: 'sent' })]);
});
