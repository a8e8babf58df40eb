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
import { cardNews } from '../testing/card-events.ts';
import { type Guest, type Messaging, startMessaging } from '../testing/messaging.ts';
import { orderNews } from '../testing/order-events.ts';
import { queueNews } from '../testing/queue-events.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

type News = (guest: Guest) => { readonly newer: Envelope; readonly older: Envelope };

/** A newer event, and an older one that says nothing any more once the newer is known. */
const outdated: readonly (readonly [string, number, News])[] = [
  ['ready after collected', 0, (g) => both(orderNews(g), (o) => [o.moved('ready', 4), o.moved('collected', 5)])],
  ['accepted after preparing', 0, (g) => both(orderNews(g), (o) => [o.moved('accepted', 2), o.moved('preparing', 3)])],
  ['accepted after ready', 1, (g) => both(orderNews(g), (o) => [o.moved('accepted', 2), o.moved('ready', 4)])],
  ['ready after cancelled', 1, (g) => both(orderNews(g), (o) => [o.moved('ready', 4), o.cancelled(5)])],
  ['a first delay after a second', 1, (g) => both(orderNews(g), (o) => [o.late(undefined, 3), o.late('2026-06-01T14:00:00Z', 4)])],
  ['a delay after ready', 1, (g) => both(orderNews(g), (o) => [o.late(undefined, 3), o.moved('ready', 4)])],
  ['a delay after an earlier slot', 1, (g) => both(orderNews(g), (o) => [o.late(undefined, 3), o.slotMoved(4)])],
  ['a refund after it failed', 0, (g) => both(orderNews(g), (o) => [o.refunded(3), o.refundFailed(4)])],
  ['a stamp after it was undone', 1, (g) => both(cardNews(g), (c) => [c.stamp(stampApproved, 2), c.stamp(stampUndone, 3, 3)])],
  ['a stamp in review after its approval', 1, (g) => ofOneStamp(g)],
  ['a stamp after several', 1, (g) => both(cardNews(g), (c) => [c.stamp(stampApproved, 2), c.several(3)])],
  ['a call after the recall', 0, (g) => both(queueNews(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueRecalled, 3)])],
  ['a call after the chair', 0, (g) => both(queueNews(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueAssigned, 3)])],
  ['a call after they left', 0, (g) => both(queueNews(g), (q) => [q(queueCalled, 2, '2026-06-01T13:00:00Z'), q(queueLeft, 3)])],
];

function both<T>(of: T, make: (of: T) => readonly [Envelope, Envelope]) {
  const [older, newer] = make(of);
  return { older, newer };
}
function ofOneStamp(guest: Guest) {
  const [card, id] = [cardNews(guest), randomUUID()];
  return { older: card.stamp(stampPending, 1, 3, id), newer: card.stamp(stampApproved, 2, 4, id) };
}

describe.each(outdated)('%s', (_, messages, news) => {
  test('is told to nobody when it comes late', async () => {
    const guest = await messaging.guest();
    const { newer, older } = news(guest);
    await messaging.publish(newer);
    messaging.advance({ seconds: 3 });
    if (messages > 0) await messaging.errandsOf(newer, ({ state }) => state === 'sent');
    await messaging.publish(older);
    messaging.advance({ seconds: 3 });
    expect(await messaging.errandsOf(older)).toEqual([expect.objectContaining({ state: 'superseded', reason: 'newer' })]);
    expect(messaging.received(guest)).toHaveLength(messages);
  });
});

test('what waits together is one message: the newest', async () => {
  const guest = await messaging.guest();
  const card = cardNews(guest);
  const stamps = [1, 2, 3, 4].map((n) => card.stamp(stampApproved, n, n));
  await messaging.publish(...stamps);
  messaging.advance({ seconds: 3 });
  await Promise.all(stamps.map((stamp) => messaging.errandsOf(stamp)));
  expect(messaging.received(guest).map(({ text }) => text)).toEqual([expect.stringContaining('4 of 10')]);
});

test('a new time is still told after a step that does not end the order', async () => {
  const guest = await messaging.guest();
  const order = orderNews(guest);
  await messaging.publish(order.moved('preparing', 4));
  const late = order.late(undefined, 3);
  await messaging.publish(late);
  expect(await messaging.errandsOf(late)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

test('orders of the same customer are told apart', async () => {
  const guest = await messaging.guest();
  const [one, other] = [orderNews(guest).moved('ready', 7), orderNews(guest).moved('ready', 2)];
  await messaging.publish(one, other);
  await Promise.all([messaging.errandsOf(one), messaging.errandsOf(other)]);
  expect(messaging.received(guest)).toHaveLength(2);
});

test('a call is not told once the place is given on', async () => {
  const guest = await messaging.guest();
  const call = queueNews(guest)(queueCalled, 1, '2026-06-01T12:00:00Z');
  await messaging.publish(call);
  expect(await messaging.errandsOf(call)).toEqual([expect.objectContaining({ state: 'superseded', reason: 'expired' })]);
  expect(messaging.received(guest)).toEqual([]);
});

test('somebody without an account, and an unpaid order that ends, make no errand', async () => {
  const guest = await messaging.guest();
  await messaging.publish(queueNews(guest, null)(queueCalled, 1, '2026-06-01T13:00:00Z'), orderNews(guest).cancelled(2, false));
  const after = orderNews(guest).moved('ready');
  await messaging.publish(after);
  await messaging.errandsOf(after);
  expect(messaging.received(guest).map(({ title }) => title)).toEqual(['Order S1-1001 is ready']);
});
