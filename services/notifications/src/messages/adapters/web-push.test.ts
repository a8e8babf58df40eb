import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixedClock } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Delivery, SubscriptionChannel } from './channel.ts';
import { openWebPush } from './web-push.ts';

const sender = createECDH('prime256v1');
const publicKey = sender.generateKeys('base64url');
const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
const clock = fixedClock('2026-06-01T12:00:00Z');

let respond: RequestListener;
const requests: string[] = [];
const signatures: (string | undefined)[] = [];
const service = createServer((request, response) => {
  requests.push(request.url ?? '');
  signatures.push(request.headers.authorization);
  request.resume();
  respond(request, response);
});
let origin: string;
let channel: SubscriptionChannel;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const privateKey = sender.getPrivateKey().toString('base64url');
  channel = openWebPush({ publicKey, privateKey, subject: 'mailto:push@example.com', services: [origin] }, clock.now);
});
afterAll(() => void service.close());
beforeEach(() => {
  requests.length = 0;
  signatures.length = 0;
});

const delivery = (to: string): Delivery => ({
  id: '0190a000-0000-7000-8000-0000000000f1',
  to,
  title: 'Ready',
  body: 'Come in.',
  collapseKey: 'k'.repeat(43),
  expiresAt: null,
  createdAt: clock.now(),
  isRepeat: false,
});
const deliver = (to = `${origin}/push/1`, given = keys) => channel.deliver({ ...delivery(to), keys: given });

test.each([
  [201, 'delivered'],
  [307, 'rejected'],
  [400, 'rejected'],
  [403, 'deferred'],
  [404, 'gone'],
  [410, 'gone'],
  [413, 'rejected'],
  [429, 'deferred'],
  [503, 'deferred'],
])('a response of %i is %s, and no redirection is followed', async (status, outcome) => {
  respond = (_request, response) => response.writeHead(status, { Location: `${origin}/elsewhere`, 'Retry-After': '30' }).end();
  expect(await deliver()).toMatchObject({ status: outcome, ...(outcome === 'deferred' ? { retryAfterSeconds: 30 } : {}) });
  expect(requests).toEqual(['/push/1']);
});

test('a lost response is deferred', async () => {
  respond = (request) => request.destroy();
  expect(await deliver()).toMatchObject({ status: 'deferred', reason: expect.stringMatching(/^web-push \w+$/) });
});

test('an endpoint that is not at an allowed service is never called, also if it was linked once', async () => {
  const elsewhere = origin.replace('127.0.0.1', 'localhost');
  expect(await deliver(`${elsewhere}/push/1`)).toEqual({ status: 'rejected', reason: 'web-push service not allowed' });
  expect(requests).toEqual([]);
});

test('keys with which nothing can be encrypted are of no device', async () => {
  expect(await deliver(undefined, { ...keys, auth: 'x' })).toMatchObject({ status: 'gone' });
});

test('one signature serves six hours', async () => {
  respond = (_request, response) => response.writeHead(201).end();
  for (const seconds of [0, 6 * 3600 - 1, 1]) {
    clock.advance({ seconds });
    await deliver();
  }
  expect([signatures[1] === signatures[0], signatures[2] === signatures[0]]).toEqual([true, false]);
});
