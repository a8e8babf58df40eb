import { Problem } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';
import type { Webhook } from './serve.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;

const path = '/webhooks/things/{thing}';
const webhooks: readonly Webhook<ProducerContext>[] = [
  {
    path,
    run: async ({ params, query, body, header }) => ({
      status: 201,
      body: { thing: params.thing, tag: query.get('tag'), bytes: [...body], proof: header('authorization') },
    }),
  },
  {
    method: 'GET',
    path,
    run: async () => ({
      status: 200,
      headers: { 'Content-Type': 'application/vnd.thing', 'Cache-Control': 'private' },
      body: Buffer.from([0, 255]),
    }),
  },
  { method: 'DELETE', path, run: async () => ({ status: 204 }) },
  {
    path: '/webhooks/refused',
    run: async () => {
      throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    },
  },
];

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start({ ...producer(), webhooks });
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

test('a webhook gets path parameters, query, headers and the bytes of the body, whatever its content type', async () => {
  const headers = { authorization: 'ThingPass x', 'content-type': 'application/json' };
  const response = await fetch(`${orders.url}/webhooks/things/a%20b?tag=7`, { method: 'POST', headers, body: '{"not json' });
  expect([response.status, await response.json()]).toEqual([
    201,
    { thing: 'a b', tag: '7', bytes: [...Buffer.from('{"not json')], proof: 'ThingPass x' },
  ]);
});

test('a webhook responds with bytes and headers of its own, with no body, or with a problem', async () => {
  const got = await fetch(`${orders.url}/webhooks/things/a`);
  expect([...(await got.bytes())]).toEqual([0, 255]);
  expect([got.headers.get('content-type'), got.headers.get('cache-control')]).toEqual(['application/vnd.thing', 'private']);
  const gone = await fetch(`${orders.url}/webhooks/things/a`, { method: 'DELETE' });
  expect([gone.status, await gone.text()]).toEqual([204, '']);
  expect((await fetch(`${orders.url}/webhooks/refused`, { method: 'POST' })).status).toBe(400);
});
