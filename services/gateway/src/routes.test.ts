import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, raw } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
const lines: string[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await gatewayBefore(
    upstream,
    {},
    { log: createLog('gateway', 'info', { write: (line) => void lines.push(line) }), newId: () => 'made-here' },
  );
});

beforeEach(() => {
  upstream.answer = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

describe('routes', () => {
  test('each service gets what is under its own name, and orders the payment webhooks', async () => {
    await using orders = await startUpstream((_request, response) => void response.end('orders'));
    await using loyalty = await startUpstream((_request, response) => void response.end('loyalty'));
    await using queue = await startUpstream((_request, response) => void response.end('queue'));
    await using notifications = await startUpstream((_request, response) => void response.end('notifications'));
    await using apart = await gatewayBefore(orders, {
      LOYALTY_URL: loyalty.url,
      QUEUE_URL: queue.url,
      NOTIFICATIONS_URL: notifications.url,
    });
    const answerOf = async (path: string) => (await call(apart.url + path)).text;
    expect(await answerOf('/api/v1/orders')).toBe('orders');
    expect(await answerOf('/api/v1/orders/collect-earlier?x=1')).toBe('orders');
    expect(await answerOf('/api/v1/loyalty/stamps')).toBe('loyalty');
    expect(await answerOf('/api/v1/queue/join')).toBe('queue');
    expect(await answerOf('/api/v1/notifications/preferences')).toBe('notifications');
    expect(await answerOf('/webhooks/stripe')).toBe('orders');
  });

  test.each(['/', '/api/v1', '/api/v1/ordersx', '/api/v2/orders', '/api/v1/stores', '/webhooks/other', '/readyz/x', '/%'])(
    'there is none for %s: 404 ROUTE_NOT_FOUND in the one envelope',
    async (path) => {
      const before = upstream.seen.length;
      const answer = await call(gateway.url + path, { method: 'POST', body: '{}', headers: { 'x-request-id': 'mine' } });
      expect(answer.status).toBe(404);
      expect(answer.headers).toMatchObject({ 'x-request-id': 'mine', 'content-type': 'application/json; charset=utf-8' });
      expect(answer.json).toEqual({ error: { code: 'ROUTE_NOT_FOUND', message: 'There is no such route.', requestId: 'mine' } });
      expect(upstream.seen).toHaveLength(before);
    },
  );

  test.each([
    ['POST', '/api/v1/loyalty/stamp-codes\\redeem'],
    ['POST', '/api/v1/orders/^'],
    ['OPTIONS', '*'],
  ])('there is none for %s %s, which two parsers could read differently', async (method, target) => {
    const before = upstream.seen.length;
    const answer = await raw(gateway.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 404 [\s\S]*ROUTE_NOT_FOUND/);
    expect(upstream.seen).toHaveLength(before);
  });

  test('a target that is a whole address, or has a fragment, is read for its path', async () => {
    const answer = await raw(
      gateway.url,
      'GET http://shop.example/api/v1/orders?a=1#here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(upstream.seen.at(-1)?.url).toBe('/api/v1/orders?a=1');
  });
});

describe('a request id', () => {
  test('is the caller’s, to the service and back, and in the log', async () => {
    const answer = await call(`${gateway.url}/api/v1/orders`, { headers: { 'x-request-id': 'caller-1.2:3_4' } });
    expect(lastSeen()['x-request-id']).toBe('caller-1.2:3_4');
    expect(answer.headers['x-request-id']).toBe('caller-1.2:3_4');
    const line = await until(() => lines.map((text) => JSON.parse(text)).find((entry) => entry.request_id === 'caller-1.2:3_4'), {
      describe: 'a line',
    });
    expect(line).toMatchObject({ operation: 'GET /api/v1/orders', status: 200, msg: 'request' });
  });

  test.each([undefined, '', 'with space', 'x'.repeat(129), 'café'])('is made here when it is %p', async (id) => {
    const answer = await call(`${gateway.url}/api/v1/orders`, { headers: id === undefined ? {} : { 'x-request-id': id } });
    expect(lastSeen()['x-request-id']).toBe('made-here');
    expect(answer.headers['x-request-id']).toBe('made-here');
  });
});
