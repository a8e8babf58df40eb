import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  queueAssigned,
  queueCalled,
  queueLeft,
  queueRecalled,
  stampApproved,
  stampPending,
  stampUndone,
} from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cardEvents } from '../testing/card-events.ts';
import { type Guest, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderEvents } from '../testing/order-events.ts';
import { queueEvents } from '../testing/queue-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

type CreateEvents = (guest: Guest) => { readonly newer: Envelope; readonly older: Envelope };

/** Two events on one topic: a name, the number of messages the newer one makes, and the events. */
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

test('a cancelled unpaid order and a refund that was never accepted make no message', async () => {
  const guest = await messaging.guest();
  await messaging.publish(orderEvents(guest).cancelled(2, false), orderEvents(guest).refundFailed(3, false));
  const after = orderEvents(guest).moved('ready');
  await messaging.publish(after);
  await messaging.messagesOf(after);
  expect(messaging.received(guest).map(({ title }) => title)).toEqual(['Order S1-1001 is ready']);
});
