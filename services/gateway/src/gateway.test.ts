import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, headOf, open, raw, received } from './under-test/client.ts';
import { gatewayBefore } from './under-test/gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from './under-test/upstream.ts';

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

describe('headers', () => {
  test('of one connection stay on it, also those the caller names; the rest goes on, unknown ones too', async () => {
    await raw(
      gateway.url,
      [
        'POST /api/v1/orders HTTP/1.1',
        'Host: shop.example',
        'Connection: close, X-Private',
        'Keep-Alive: timeout=9',
        'Proxy-Authorization: Basic eDp5',
        'TE: trailers',
        'Trailer: X-T',
        'Upgrade: h2c',
        'Expect: 100-continue',
        'X-Private: 1',
        'X-Staff-Token: st',
        'Idempotency-Key: k',
        'Authorization: Bearer t',
        'Cookie: a=1',
        'Content-Length: 2',
        '',
        '{}',
      ].join('\r\n'),
    );
    const names = Object.keys(lastSeen());
    for (const gone of ['keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade', 'expect', 'x-private'])
      expect(names).not.toContain(gone);
    expect(lastSeen()).toMatchObject({
      connection: 'keep-alive',
      'x-staff-token': 'st',
      'idempotency-key': 'k',
      authorization: 'Bearer t',
      cookie: 'a=1',
      'content-length': '2',
    });
  });

  test('say who asked and how; what the caller claims of it is replaced', async () => {
    await call(`${gateway.url}/api/v1/orders`, {
      headers: {
        host: 'shop.example',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil',
        forwarded: 'for=6.6.6.6',
        'x-real-ip': '6.6.6.6',
      },
    });
    expect(lastSeen()).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'shop.example' });
    expect(lastSeen().host).toBe(new URL(upstream.url).host);
    expect(Object.keys(lastSeen())).not.toEqual(expect.arrayContaining(['forwarded']));
    expect(Object.keys(lastSeen())).not.toEqual(expect.arrayContaining(['x-real-ip']));
  });

  test('from a trusted balancer are continued', async () => {
    await using behind = await gatewayBefore(upstream, { TRUSTED_PROXIES: '127.0.0.1/32, ::1' });
    await call(`${behind.url}/api/v1/orders`, {
      headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' },
    });
    expect(lastSeen()).toMatchObject({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example',
    });
  });

  test('of the answer come back without those of its connection, each cookie by itself', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(
        200,
        [
          ['Set-Cookie', 'a=1; Path=/'],
          ['Set-Cookie', 'b=2, with comma'],
          ['Connection', 'keep-alive, X-Hop'],
          ['X-Hop', '1'],
          ['X-Request-Id', 'the service’s own'.slice(0, 3)],
          ['Retry-After', '7'],
        ].flat(),
      );
      response.end('{}');
    };
    const { headers } = await call(`${gateway.url}/api/v1/orders`, { headers: { 'x-request-id': 'mine' } });
    expect(headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2, with comma']);
    expect(headers).toMatchObject({ 'retry-after': '7', 'x-request-id': 'mine' });
    expect(headers).not.toHaveProperty('x-hop');
  });
});

describe('a body that is too large', () => {
  test('by its own word is refused before anything is sent on; the connection goes on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = upstream.seen.length;
    const answer = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_537), agent });
    expect(answer.status).toBe(413);
    expect(answer.json).toEqual({
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 64 KiB.', requestId: 'made-here' },
    });
    expect(upstream.seen).toHaveLength(before);
    expect((await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_536), agent })).status).toBe(200);
    agent.destroy();
  });

  test('in parts is refused as soon as it is, and the service never sees it whole', async () => {
    const { promise: fate, resolve } = Promise.withResolvers<string>();
    upstream.answer = (request) => {
      request
        .on('error', () => resolve('cut off'))
        .on('end', () => resolve('whole'))
        .resume();
    };
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = headOf(request);
    request.write(Buffer.alloc(60_000));
    await until(() => upstream.seen.at(-1)?.headers['transfer-encoding'] === 'chunked', { describe: 'the first part at the service' });
    request.write(Buffer.alloc(6_000));
    const answer = await received(await head);
    expect(answer.status).toBe(413);
    expect(answer.json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(await fate).toBe('cut off');
    request.end();
  });

  test.each([true, false])('is refused so that a caller still sending gets to read it (connection kept: %s)', async (keepAlive) => {
    const agent = new Agent({ keepAlive });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 900_000 } });
    const head = headOf(request);
    request.write(Buffer.alloc(1_000));
    expect((await head).statusCode).toBe(413);
    // All that was announced can still be sent: the door is not slammed.
    const closed = new Promise<Error | null>((resolve) => request.once('error', resolve).once('close', () => resolve(null)));
    request.end(Buffer.alloc(899_000));
    expect((await received(await head)).json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(await closed).toBeNull();
    agent.destroy();
  });

  test('and does not end is cut off in the end', async () => {
    const agent = new Agent({ keepAlive: true });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 1024 ** 3 } });
    const head = headOf(request);
    const cut = new Promise((resolve) => request.once('close', resolve));
    request.on('error', () => {});
    const part = Buffer.alloc(256 * 1024);
    let sent = 0;
    const send = () => {
      while (!request.destroyed && sent < 1024 ** 3) {
        sent += part.length;
        if (!request.write(part)) return void request.once('drain', send);
      }
    };
    send();
    expect((await head).statusCode).toBe(413);
    await cut;
    expect(sent).toBeLessThan(64 * 1024 ** 2);
    agent.destroy();
  });
});

describe('a webhook', () => {
  test('reaches orders byte for byte, with its signature, however it is framed', async () => {
    const body = randomBytes(200_000);
    const arrived: Buffer[] = [];
    upstream.answer = async (request, response) => {
      arrived.push(await bodyOf(request));
      response.end();
    };
    const headers = { 'stripe-signature': 't=1,v1=ab', 'content-type': 'application/json; charset=utf-8' };
    for (const framing of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }])
      expect((await call(`${gateway.url}/webhooks/stripe`, { method: 'POST', body, headers: { ...headers, ...framing } })).status).toBe(
        200,
      );
    expect(arrived).toHaveLength(2);
    expect(arrived.every((bytes) => bytes.equals(body))).toBe(true);
    expect(lastSeen()).toMatchObject(headers);
  });

  test('has a larger limit of its own', async () => {
    expect((await call(`${gateway.url}/webhooks/stripe`, { method: 'POST', body: Buffer.alloc(262_145) })).status).toBe(413);
  });
});

describe('health', () => {
  test('says that the process lives and is ready, and which service is out of reach', async () => {
    await using lonely = await gatewayBefore(upstream, { QUEUE_URL: await deadAddress() });
    expect((await call(`${lonely.url}/livez`)).json).toEqual({ service: 'gateway', alive: true });
    const ready = await call(`${lonely.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(ready.json).toEqual({
      service: 'gateway',
      ready: true,
      checks: { orders: 'ok', loyalty: 'ok', queue: 'ECONNREFUSED', notifications: 'ok' },
    });
  });

  test('a stop finishes what is under way, turns further requests elsewhere, and then closes', async () => {
    const stopping = await gatewayBefore(upstream);
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    upstream.answer = async (_request, response) => {
      response.write('begun, ');
      await held;
      response.end('finished');
    };
    const request = open(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    request.end();
    const answer = await headOf(request);
    stopping.beginDraining();
    expect((await call(`${stopping.url}/readyz`)).json).toMatchObject({ ready: false, draining: true });
    upstream.answer = (_request, response) => void response.end();
    const late = await call(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    expect(late).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const stopped = stopping[Symbol.asyncDispose]();
    await until(
      () =>
        call(`${stopping.url}/livez`).then(
          () => false,
          () => true,
        ),
      { describe: 'the door to be closed' },
    );
    goOn();
    expect((await received(answer)).text).toBe('begun, finished');
    await stopped;
  });
});
