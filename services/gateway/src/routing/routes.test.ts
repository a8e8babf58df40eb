import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, raw } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
const lines: string[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(
    upstream,
    {},
    { log: createLog('gateway', 'info', { write: (line) => void lines.push(line) }), newId: () => 'made-here' },
  );
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

describe('routes', () => {
  test('each service gets the paths under its own name, and orders gets the payment webhooks', async () => {
    await using orders = await startUpstream((_request, response) => void response.end('orders'));
    await using loyalty = await startUpstream((_request, response) => void response.end('loyalty'));
    await using queue = await startUpstream((_request, response) => void response.end('queue'));
    await using notifications = await startUpstream((_request, response) => void response.end('notifications'));
    await using directory = await startUpstream((_request, response) => void response.end('directory'));
    await using apart = await startTestGateway(orders, {
      LOYALTY_URL: loyalty.url,
      QUEUE_URL: queue.url,
      NOTIFICATIONS_URL: notifications.url,
      DIRECTORY_URL: directory.url,
    });
    const textOf = async (path: string) => (await call(apart.url + path)).text;
    expect(await textOf('/api/v1/orders')).toBe('orders');
    expect(await textOf('/api/v1/orders/collect-earlier?x=1')).toBe('orders');
    expect(await textOf('/api/v1/loyalty/stamps')).toBe('loyalty');
    expect(await textOf('/api/v1/queue/join')).toBe('queue');
    expect(await textOf('/api/v1/notifications/preferences')).toBe('notifications');
    expect(await textOf('/api/v1/directory/stores')).toBe('directory');
    expect(await textOf('/webhooks/stripe')).toBe('orders');
    expect(await textOf('/printers/a-secret?token=b')).toBe('orders');
  });

  test.each(['/', '/api/v1', '/api/v1/ordersx', '/api/v2/orders', '/api/v1/stores', '/webhooks/other', '/readyz/x', '/%'])(
    'there is no route for %s: 404 ROUTE_NOT_FOUND in the usual envelope',
    async (path) => {
      const before = upstream.seen.length;
      const response = await call(gateway.url + path, { method: 'POST', body: '{}', headers: { 'x-request-id': 'mine' } });
      expect(response.status).toBe(404);
      expect(response.headers).toMatchObject({ 'x-request-id': 'mine', 'content-type': 'application/json; charset=utf-8' });
      expect(response.json).toEqual({ error: { code: 'ROUTE_NOT_FOUND', message: 'There is no such route.', requestId: 'mine' } });
      expect(upstream.seen).toHaveLength(before);
    },
  );

  test('a service that is left out has no routes and no health', async () => {
    await using apart = await startTestGateway(upstream, { DIRECTORY_URL: '' });
    const response = await call(`${apart.url}/api/v1/directory/stores`);
    expect([response.status, response.json.error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(Object.keys((await call(`${apart.url}/readyz`)).json.checks)).not.toContain('directory');
  });

  test.each([
    ['POST', '/api/v1/loyalty/stamp-codes\\redeem'],
    ['POST', '/api/v1/orders/^'],
    ['OPTIONS', '*'],
  ])('there is no route for %s %s, which two parsers could read differently', async (method, target) => {
    const before = upstream.seen.length;
    const response = await raw(gateway.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 404 [\s\S]*ROUTE_NOT_FOUND/);
    expect(upstream.seen).toHaveLength(before);
  });

  test('a target that is an absolute URL or has a fragment is reduced to its path and query', async () => {
    const response = await raw(
      gateway.url,
      'GET http://shop.example/api/v1/orders?a=1#here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1.1 200/);
    expect(upstream.seen.at(-1)?.url).toBe('/api/v1/orders?a=1');
  });
});

describe('the request id', () => {
  test('of the caller reaches the service, the response and the log', async () => {
    const response = await call(`${gateway.url}/api/v1/orders`, { headers: { 'x-request-id': 'caller-1.2:3_4' } });
    expect(lastSeen()['x-request-id']).toBe('caller-1.2:3_4');
    expect(response.headers['x-request-id']).toBe('caller-1.2:3_4');
    const line = await until(() => lines.map((text) => JSON.parse(text)).find((entry) => entry.request_id === 'caller-1.2:3_4'), {
      describe: 'the log line',
    });
    expect(line).toMatchObject({ operation: 'GET /api/v1/orders', status: 200, msg: 'request' });
  });

  test.each([undefined, '', 'with space', 'x'.repeat(129), 'café'])('is made by the gateway when the caller’s is %p', async (id) => {
    const response = await call(`${gateway.url}/api/v1/orders`, { headers: id === undefined ? {} : { 'x-request-id': id } });
    expect(lastSeen()['x-request-id']).toBe('made-here');
    expect(response.headers['x-request-id']).toBe('made-here');
  });
});
