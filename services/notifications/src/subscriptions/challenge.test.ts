// covers: challengeWebhook
import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderEvents } from '../messages/testing/events.ts';
import { confirms } from './rules/limits.ts';
import { claimRequests } from './tables/hosts.ts';
import { type Receiver, type Store, startReceiver, startWebhooks, verify, type Webhooks } from './testing/webhooks.ts';

let webhooks: Webhooks;
let store: Store;
const receivers: Receiver[] = [];
beforeAll(async () => {
  webhooks = await startWebhooks();
  store = await webhooks.newStore();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

async function silent(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  receiver.agree((_, response) => response.writeHead(204).end());
  return receiver;
}
const order = () => orderEvents({ storeId: store.storeId, customerId: randomUUID(), email: '', phone: '' });
const stateOf = async (id: string) => (await store.list()).find((webhook: { id: string }) => webhook.id === id);
const challenge = (id: string) => store.of(id, 'POST', '/challenge');
const numbered = (id: string, count: number) =>
  until(async () => ((await stateOf(id)).last_number === count ? true : null), { describe: 'the numbers of events' });

test('a receiver is sent no event before it has sent a signed challenge back; then it gets all that waited, in order', async () => {
  const at = await silent();
  const { id, secret } = await store.webhook({ url: at.url });
  expect(await stateOf(id)).toMatchObject({ state: 'unconfirmed' });
  const [asked] = at.challenges;
  expect(asked && verify(secret, asked)).toMatchObject({
    type: 'webhook.challenge',
    webhook_id: id,
    data: { challenge: expect.any(String) },
  });
  const events = order();
  await webhooks.publish(events.paid(1), events.moved('accepted', 2), events.moved('ready', 3));
  await numbered(id, 3);
  expect((await store.of(id, 'POST', '/test')).status).toBe(200);
  await numbered(id, 4);
  webhooks.advance({ minutes: 5 });
  await store.of(id, 'POST', '/events/1/repeat');
  expect((await challenge(id)).body).toMatchObject({
    webhook: { state: 'unconfirmed', waiting: 4 },
    response: { status: 204, detail: '' },
  });
  expect(at.requests).toEqual([]);

  at.agree((value, response) => response.end(JSON.stringify({ challenge: value })));
  expect((await challenge(id)).body).toMatchObject({ webhook: { state: 'active' }, response: { status: 200 } });
  const numbers = (await at.received(4)).map(({ payload }) => payload.number);
  expect([numbers.filter((number) => number !== 4), numbers.length]).toEqual([[1, 2, 3], 4]);
  expect((await challenge(id)).body).toMatchObject({ webhook: { state: 'active' }, response: null });
  expect(at.challenges).toHaveLength(3);
});

test('another address is asked, and so is one that had ended; the same address is not', async () => {
  const [first, second] = [await silent(), await silent()];
  first.agree((value, response) => response.end(value));
  const { id } = await store.webhook({ url: first.url });
  expect(await stateOf(id)).toMatchObject({ state: 'active' });
  await store.of(id, 'PATCH', '', { url: first.url, description: 'same' });
  expect(first.challenges).toHaveLength(1);
  expect((await store.of(id, 'PATCH', '', { url: second.url })).body.webhook.state).toBe('unconfirmed');
  await webhooks.publish(order().paid(1));
  await numbered(id, 1);
  expect((await store.of(id, 'PATCH', '', { url: first.url })).body.webhook.state).toBe('active');
  expect((await first.received(1)).map(({ payload }) => payload.number)).toEqual([1]);
  expect(second.requests).toEqual([]);
  await store.of(id, 'DELETE');
  expect((await challenge(id)).body.error.code).toBe('WEBHOOK_ENDED');
  first.agree((_, response) => response.writeHead(204).end());
  expect((await store.of(id, 'PATCH', '', { description: 'again' })).body.webhook.state).toBe('unconfirmed');
  expect((await store.of(id, 'PATCH', '', { url: null })).body.webhook.state).toBe('active');
});

test('staff may not ask: INSUFFICIENT_ROLE', async () => {
  const { id } = await store.webhook({ url: null });
  const reply = await webhooks.storeAs(store.storeId, 'staff').of(id, 'POST', '/challenge');
  expect([reply.status, reply.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
});

test('a webhook of another store and an unknown one are not found', async () => {
  const other = await webhooks.newStore();
  const { id } = await other.webhook({ url: null });
  for (const foreign of [id, randomUUID()]) expect((await challenge(foreign)).body.error.code).toBe('WEBHOOK_NOT_FOUND');
});

test('a host that repeats a request back has not agreed: only the value itself counts, or the field of that name', () => {
  const value = '0190a000-0000-7000-8000-0000000000f1';
  const answer = (detail: string, status: number | null = 200) => confirms({ status, detail }, value);
  expect([answer(value), answer(` ${value} `), answer(JSON.stringify({ challenge: value }), 201)]).toEqual([true, true, true]);
  const echo = JSON.stringify({ type: 'webhook.challenge', data: { challenge: value } });
  expect([answer(echo), answer(`<p>${value}</p>`), answer('null'), answer(''), answer(value, 500), answer(value, null)]).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});

test('a host gets as many requests in a minute as its limit, over all webhooks at once, and as many in the next', async () => {
  const { database } = webhooks.running.service;
  const host = `${randomUUID()}.example.com`;
  const claim = (minute: number) =>
    claimRequests(database, { host, kind: 'events', wanted: 30, limit: 100, now: new Date(`2026-06-01T12:0${minute}:30Z`) });
  const granted = await Promise.all(Array.from({ length: 8 }, () => claim(1)));
  expect(granted.toSorted((a, b) => b - a)).toEqual([30, 30, 30, 10, 0, 0, 0, 0]);
  expect(await claim(2)).toBe(30);
});
