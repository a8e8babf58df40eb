import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { publicEvents } from '@corner/contracts';
import { builtProgram, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { orderEvents } from '../messages/testing/events.ts';
import { eventHandlers } from '../service.ts';
import { deliverEvents } from './sagas/deliver-events.ts';
import {
  type ReceivedRequest,
  type Receiver,
  type Store,
  startReceiver,
  startWebhooks,
  verify,
  type Webhooks,
} from './testing/webhooks.ts';

let webhooks: Webhooks;
const receivers: Receiver[] = [];
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}
const guestOf = ({ storeId }: Store) => ({ storeId, customerId: randomUUID(), email: '', phone: '' });
const orderOf = (store: Store) => orderEvents(guestOf(store));
const numbersOf = (requests: readonly ReceivedRequest[]) => requests.map(({ payload }) => payload.number);
const settled = (store: Store, id: string, like: (event: { delivery: { state: string; attempts: number } }) => boolean) =>
  until(
    async () => {
      const { events } = await store.events(id);
      return events.length > 0 && events.every(like) ? events : null;
    },
    { describe: 'the events of a webhook' },
  );

const isFailing = (store: Store) =>
  until(async () => ((await store.list())[0].state === 'failing' ? true : null), { describe: 'a failed attempt' });

test('a store’s events are numbered without gaps, signed, sent in order, and proved by a digest', async () => {
  const [store, other, at] = [await webhooks.newStore(), await webhooks.newStore(), await receiver()];
  const { id, secret } = await store.webhook({ url: at.url });
  const some = await store.webhook({ url: null, types: ['order.refunded'] });
  const order = orderOf(store);
  await webhooks.publish(order.paid(1), orderOf(other).paid(1), order.moved('accepted', 2), order.moved('ready', 3), order.refunded(4));
  const requests = await at.received(4);
  expect(requests.map(({ payload }) => [payload.number, payload.type])).toEqual([
    [1, 'order.paid'],
    [2, 'order.fulfilment_changed'],
    [3, 'order.fulfilment_changed'],
    [4, 'order.refunded'],
  ]);
  for (const request of requests) expect(verify(secret, request)).toMatchObject({ webhook_id: id, store_id: store.storeId });
  const [first] = requests as [ReceivedRequest];
  expect(first.payload.data).toMatchObject({ order_number: 'S1-1001', total_pence: 1250 });
  expect(first.body).not.toMatch(/customer|note/);

  const events = await settled(store, id, ({ delivery }) => delivery.state === 'delivered');
  expect(events.map(({ number, payload }: { number: number; payload: string }) => [number, payload])).toEqual(
    requests.map(({ payload, body }) => [payload.number, body]),
  );
  expect((await store.events(id, 3)).events).toHaveLength(1);
  const lines = requests.map(({ payload, body }) => `${payload.number} ${createHash('sha256').update(body).digest('hex')}\n`);
  const { body: digest } = await store.digest(id, 1, 4);
  expect(digest).toMatchObject({ count: 4, hash: createHash('sha256').update(lines.join('')).digest('hex') });
  const { body, id: signedAs, timestamp, signature } = digest.signed;
  const headers = { 'webhook-id': signedAs, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  expect(() => verify(secret, { id: '', body, payload: {} as never, headers })).toThrow(SyntaxError);
  expect(() => verify(secret, { id: '', body: `${body}0`, payload: {} as never, headers })).toThrow('No matching signature');
  expect((await store.digest(id, 1, 5)).body.error.code).toBe('EVENTS_NOT_KEPT');

  expect((await store.events(some.id)).events).toMatchObject([{ number: 1, type: 'order.refunded', delivery: { state: 'delivered' } }]);
});

test('an event that fails is repeated under its number; its object waits for it, and others do not', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  const [failing, other] = [orderOf(store), orderOf(store)];
  const failed = failing.paid(1);
  const waiting = failing.moved('accepted', 2);
  let refuse = () => {};
  at.respond((request, response) => {
    if (request.payload.event_id !== failed.id) response.writeHead(204).end();
    else refuse = () => response.writeHead(500).end('<b>no\u0000</b>');
  });
  await webhooks.publish(failed);
  await at.received(1);
  await webhooks.publish(waiting);
  await until(async () => ((await store.list())[0].last_number === 2 ? true : null), { describe: 'the second number' });
  refuse();
  await isFailing(store);
  const [later, paid, accepted] = [failing.moved('ready', 3), other.paid(1), other.moved('accepted', 2)];
  await webhooks.publish(later, paid, accepted);
  const sent = (requests: readonly ReceivedRequest[]) => requests.map(({ payload }) => payload.event_id);
  webhooks.advance({ seconds: 2 });
  await at.received(2);
  webhooks.advance({ seconds: 2 });
  expect(sent(await at.received(3))).toEqual([failed.id, paid.id, accepted.id]);
  const { events } = await store.events(id, 0, { state: 'pending' });
  expect(events[0]).toMatchObject({ number: 1, delivery: { attempts: 1, status: 500, detail: '<b>no </b>' } });
  at.respond((_, response) => response.writeHead(200).end());
  webhooks.advance({ seconds: 10 });
  expect(sent(await at.received(6))).toEqual([failed.id, paid.id, accepted.id, failed.id, waiting.id, later.id]);
  expect(new Set(at.requests.map(({ id: messageId }) => messageId)).size).toBe(5);
});

test('a receiver that is down is called once a try, whatever waits, and gets everything afterwards', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  at.respond((_, response) => response.destroy());
  const orders = Array.from({ length: 20 }, () => orderOf(store).paid(1));
  await webhooks.publish(...orders);
  await isFailing(store);
  const before = at.requests.length;
  expect(before).toBeLessThanOrEqual(8);
  webhooks.advance({ seconds: 2 });
  await at.received(before + 1);
  await until(
    async () =>
      (await store.events(id)).events.filter(({ delivery }: { delivery: { attempts: number } }) => delivery.attempts > 0).length ===
      before + 1
        ? true
        : null,
    {
      describe: 'one attempt more',
    },
  );
  expect(at.requests).toHaveLength(before + 1);
  at.respond((_, response) => response.writeHead(204).end());
  webhooks.advance({ minutes: 1 });
  await settled(store, id, ({ delivery }) => delivery.state === 'delivered');
  expect((await store.list())[0]).toMatchObject({ state: 'active', waiting: 0, last_number: 20 });
});

test('after three days an event is dead, its object goes on, and someone repeats it', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  at.respond((_, response) => response.writeHead(503, { 'retry-after': '30' }).end('closed'));
  await webhooks.publish(orderOf(store).paid(1), orderOf(store).paid(1));
  await isFailing(store);
  webhooks.advance({ hours: 73 });
  const dead = await settled(store, id, ({ delivery }) => delivery.state === 'dead');
  expect(dead).toMatchObject([{ delivery: { status: 503, detail: 'closed', next_attempt_at: null } }, { delivery: { status: 503 } }]);
  expect((await store.list())[0]).toMatchObject({ dead: 2, waiting: 0 });
  at.respond((_, response) => response.writeHead(204).end());
  expect((await store.of(id, 'POST', '/events/1/repeat')).status).toBe(200);
  await until(async () => ((await store.list())[0].dead === 1 ? true : null), { describe: 'the repeated event' });
  webhooks.clock.set(new Date().toISOString());
});

test('a response of 410 ends a webhook, and a change makes it active again', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  at.respond((_, response) => response.writeHead(410).end());
  expect((await store.of(id, 'POST', '/test')).status).toBe(200);
  await until(async () => ((await store.list())[0].state === 'ended' ? true : null), { describe: 'the end of the webhook' });
  await webhooks.publish(orderOf(store).paid(1));
  expect((await store.list())[0].last_number).toBe(1);
  expect((await store.of(id, 'POST', '/test')).body.error.code).toBe('WEBHOOK_ENDED');
  at.respond((_, response) => response.writeHead(204).end());
  expect((await store.of(id, 'PATCH', '', { url: at.url })).body.webhook.state).toBe('active');
  await webhooks.publish(orderOf(store).paid(1));
  expect(numbersOf(await at.received(3))).toEqual([1, 1, 2]);
});

test('a receiver that never responds delays no other', async () => {
  const [store, slow, quick] = [await webhooks.newStore(), await receiver(), await receiver()];
  slow.respond(() => {});
  await store.webhook({ url: slow.url });
  await webhooks.publish(orderOf(store).paid(1));
  await slow.received(1);
  await store.webhook({ url: quick.url });
  await webhooks.publish(orderOf(store).paid(1));
  expect(numbersOf(await quick.received(1))).toEqual([1]);
  slow.respond((_, response) => response.writeHead(204).end());
});

test('for a day, requests are signed with the old secret as well; a repeat of the rotation returns the same new one', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id, secret } = await store.webhook({ url: at.url });
  const key = randomUUID();
  const rotate = async () => (await store.of(id, 'POST', '/rotate-secret', undefined, key)).body.secret;
  const rotated = await rotate();
  expect(rotated).not.toBe(secret);
  expect(await rotate()).toBe(rotated);
  await store.of(id, 'POST', '/test');
  const [both] = (await at.received(1)) as [ReceivedRequest];
  for (const valid of [secret, rotated]) expect(verify(valid, both)).toMatchObject({ type: 'webhook.test' });
  webhooks.clock.advance({ hours: 25 });
  await store.of(id, 'POST', '/test');
  const [, one] = await at.received(2);
  expect(String(one?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  webhooks.clock.set(new Date().toISOString());
});

test('a repeated request creates one webhook, and a store has ten', async () => {
  const store = await webhooks.newStore();
  const key = randomUUID();
  const [first, second] = await Promise.all([store.create({ url: null }, key), store.create({ url: null }, key)]);
  const created = [first, second].filter(({ status }) => status === 200);
  expect(new Set(created.map(({ body }) => body.secret)).size).toBe(1);
  expect((await store.create({ url: null }, key)).body.webhook.id).toBe(created[0]?.body.webhook.id);
  const more = await Promise.all(Array.from({ length: 11 }, () => store.create({ url: null })));
  expect(more.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(await store.list()).toHaveLength(10);
});

test('several replicas number and deliver side by side: no gap, and nothing twice', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  const { context } = webhooks.running.service;
  const orders = Array.from({ length: 60 }, () => orderOf(store).paid(1));
  await Promise.all([webhooks.publish(...orders), ...Array.from({ length: 8 }, () => deliverEvents(context))]);
  await Promise.all(Array.from({ length: 4 }, () => deliverEvents(context)));
  await settled(store, id, ({ delivery }) => delivery.state === 'delivered');
  expect(numbersOf(at.requests).toSorted((a, b) => a - b)).toEqual(orders.map((_, place) => place + 1));
});

test('an event is sent again under the same id when a replica dies before it has written that it was delivered', async () => {
  const [store, at] = [await webhooks.newStore(), await receiver()];
  const { id } = await store.webhook({ url: at.url });
  at.respond((_, response) => response.writeHead(at.requests.length === 1 ? 500 : 204).end());
  // An hour behind the other process: a retry some seconds later is due there.
  webhooks.clock.set(new Date(Date.now() - 3_600_000).toISOString());
  await webhooks.publish(orderOf(store).paid(1));
  await isFailing(store);
  const main = await builtProgram('services/notifications/src/main.ts');
  const env = { ...webhooks.running.environment, PATH: process.env.PATH ?? '', CRASH_AT: 'notifications.webhook.after-send' };
  const [, signal] = await once(spawn(process.execPath, [main], { env, stdio: 'ignore' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(at.requests).toHaveLength(2);
  // Only the holder of the lease sends until it ends.
  webhooks.advance({ minutes: 55 });
  await deliverEvents(webhooks.running.service.context);
  expect(at.requests).toHaveLength(2);
  webhooks.advance({ minutes: 10 });
  await settled(store, id, ({ delivery }) => delivery.state === 'delivered');
  expect(new Set(at.requests.map((request) => request.id))).toEqual(new Set([`${id}_1`]));
  expect(at.requests).toHaveLength(3);
  webhooks.clock.set(new Date().toISOString());
});

test('an event that is processed again keeps its number', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  const paid = orderOf(store).paid(1);
  await webhooks.publish(paid);
  await settled(store, id, () => true);
  const { database, context } = webhooks.running.service;
  await database.query(sql.type(z.object({}))`
    insert into waiting_event (store_id, event_id, type, version, object, at, data)
    values (${store.storeId}, ${paid.id}, 'order.paid', 1, 'x', now(), '{}')`);
  await deliverEvents(context);
  await webhooks.publish(orderOf(store).paid(1));
  await until(async () => ((await store.list())[0].last_number === 2 ? true : null), { describe: 'the second number' });
  expect((await store.events(id)).events).toHaveLength(2);
});

test('events are deleted after thirty days from the lowest number on, and the feed says where it begins', async () => {
  const store = await webhooks.newStore();
  const { id } = await store.webhook({ url: null });
  await webhooks.publish(orderOf(store).paid(1), orderOf(store).paid(1));
  await until(async () => ((await store.list())[0].last_number === 2 ? true : null), { describe: 'both numbers' });
  webhooks.clock.advance({ days: 31 });
  const { jobs } = await import('../service.ts');
  await jobs.dropOldEvents?.run(webhooks.running.service.context);
  webhooks.clock.set(new Date().toISOString());
  expect(await store.events(id)).toEqual({ events: [], first_number: 3, last_number: 2 });
});

test('the service takes every public event, and none says who a customer is or what people wrote', () => {
  const handled = new Set(Object.values(eventHandlers).map(({ event }) => event));
  for (const { event, data } of publicEvents) {
    expect({ type: event.type, handled: handled.has(event) }).toEqual({ type: event.type, handled: true });
    expect(Object.keys(data.shape)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/customer|by_id|note|code_tail|collection_code/)]),
    );
  }
});
