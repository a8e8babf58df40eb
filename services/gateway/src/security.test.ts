import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readGatewayConfig } from './config.ts';
import type { RunningGateway } from './gateway.ts';
import { call, raw } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
const page = 'https://shop.example';

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await gatewayBefore(upstream, {
    QUEUE_URL: await deadAddress(),
    CORS_ORIGINS: `${page}, http://localhost:3000`,
    HEADERS_TIMEOUT_MS: '150',
    REQUEST_TIMEOUT_MS: '400',
  });
});

beforeEach(() => {
  upstream.answer = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const floor = {
  'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Whatever came over the wire, as lower-case headers. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    (text.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );

describe('every answer says that it is data and nobody else’s', () => {
  const post = { method: 'POST', body: 'x'.repeat(70_000) };
  const kinds: readonly [string, number, string, Parameters<typeof call>[1]?][] = [
    ['a service’s', 200, '/api/v1/orders'],
    ['one for a service that is away', 503, '/api/v1/queue/status'],
    ['a body too large', 413, '/api/v1/orders', post],
    ['no route', 404, '/nowhere'],
    ['no path', 404, '/%'],
    ['the reference', 200, '/docs'],
    ['the description', 200, '/api/v1/openapi.json'],
    ['a script', 200, '/docs/assets/start.js'],
    ['liveness', 200, '/livez'],
    [
      'a browser’s question',
      204,
      '/api/v1/orders',
      { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'GET' } },
    ],
  ];
  test.each(kinds)('%s', async (_, status, path, sent = {}) => {
    const answer = await call(gateway.url + path, sent);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(floor);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('server');
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });

  test('a request over its limit', async () => {
    await using small = await gatewayBefore(upstream);
    const all = await Promise.all(Array.from({ length: 31 }, () => call(`${small.url}/api/v1/queue/join`, { method: 'POST', body: '{}' })));
    expect(all.find(({ status }) => status === 429)?.headers).toMatchObject(floor);
  });

  test.each([
    ['what is no request', 400, 'POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['two hosts', 400, 'GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['headers too large', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['headers too slow', 408, 'GET / HTTP/1.1\r\nHost: a\r\nX: '],
  ])('%s', async (_, status, bytes) => {
    const text = await raw(gateway.url, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(headersOf(text)).toMatchObject(floor);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { requestId: headersOf(text)['x-request-id'] } });
  });

  test('and that TLS stays on, when a balancer of ours says it was', async () => {
    await using behind = await gatewayBefore(upstream, { TRUSTED_PROXIES: '127.0.0.1' });
    const over = async (url: string, protocol: string) =>
      (await call(`${url}/api/v1/orders`, { headers: { 'x-forwarded-proto': protocol } })).headers['strict-transport-security'];
    expect(await over(behind.url, 'https')).toMatch(/^max-age=\d{8}/);
    expect(await over(behind.url, 'http')).toBeUndefined();
    expect(await over(gateway.url, 'https')).toBeUndefined();
  });

  test('whatever a service says of it', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Security-Policy': 'default-src *', 'X-Frame-Options': 'ALLOWALL', Vary: 'Accept' }).end('{}');
    };
    const { headers } = await call(`${gateway.url}/api/v1/orders`);
    expect(headers).toMatchObject({ ...floor, vary: 'Accept, Origin' });
  });
});

describe('pages of other origins', () => {
  const asks = (origin: string, url = gateway.url) =>
    call(`${url}/api/v1/orders`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  test('that are listed may ask, send what the interface takes, and see what it says', async () => {
    const seen = upstream.seen.length;
    const { status, headers } = await asks(page);
    expect(status).toBe(204);
    expect(headers).toMatchObject({ 'access-control-allow-origin': page, vary: 'Origin' });
    expect(String(headers['access-control-allow-methods']).split(', ').sort()).toEqual(['GET', 'HEAD', 'PATCH', 'POST']);
    const taken = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-request-id', 'x-staff-token', 'traceparent'])
      expect(taken).toContain(name);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(upstream.seen).toHaveLength(seen);
    for (const path of ['/api/v1/orders', '/api/v1/queue/status', '/nowhere']) {
      const answer = await call(gateway.url + path, { headers: { origin: page } });
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': page, vary: 'Origin' });
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
      expect(exposed.sort()).toEqual(['Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']);
    }
  });

  test.each([
    'https://evil.example',
    'https://shop.example.evil',
    'https://sub.shop.example',
    'http://shop.example',
    'https://shop.example:8443',
    'null',
    '*',
    'HTTPS://SHOP.EXAMPLE',
  ])('%s is told nothing', async (origin) => {
    const allowing = expect.stringMatching(/^access-control/);
    expect(Object.keys((await asks(origin)).headers)).not.toContainEqual(allowing);
    const { headers } = await call(`${gateway.url}/api/v1/orders`, { headers: { origin } });
    expect(Object.keys(headers)).not.toContainEqual(allowing);
    expect(headers.vary).toBe('Origin');
  });

  test('none are listed by default', async () => {
    await using plain = await gatewayBefore(upstream);
    const { status, headers } = await asks(page, plain.url);
    expect(status).toBe(204);
    expect(Object.keys(headers)).not.toContainEqual(expect.stringMatching(/^access-control|^vary/));
  });

  test('may be any while developing, never in production', () => {
    const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, 'http://a']));
    expect(readGatewayConfig({ ...urls, CORS_ORIGINS: '*' }).CORS_ORIGINS).toEqual(['*']);
    expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: '*', NODE_ENV: 'production' })).toThrow('CORS_ORIGINS');
    expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: `${page}, *`, NODE_ENV: 'production' })).toThrow('CORS_ORIGINS');
    for (const wrong of ['shop.example', `${page}/`, `${page}/path`, 'https://*.example', 'null', 'HTTPS://shop.example'])
      expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS');
  });

  test('an OPTIONS that is no such question is the service’s to answer', async () => {
    await call(`${gateway.url}/api/v1/orders`, { method: 'OPTIONS' });
    expect(upstream.seen.at(-1)?.method).toBe('OPTIONS');
  });
});

describe('a slow caller', () => {
  test('whose body drips is answered 408, and the service is let go', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    upstream.answer = (request) => {
      request.on('error', () => {});
      request.once('close', resolve);
      request.resume();
    };
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    socket.write('POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
    while (text === '' && !socket.destroyed) {
      socket.write('x');
      await pause(20);
    }
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*REQUEST_TIMEOUT/);
    await gone;
  });

  test('takes nothing from the others', async () => {
    const sockets = Array.from({ length: 100 }, () =>
      connect(gateway.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    for (const socket of sockets) socket.write('POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
    expect((await call(`${gateway.url}/api/v1/orders`)).status).toBe(200);
    await until(() => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded), {
      describe: 'the slow to be sent away',
    });
    for (const socket of sockets) socket.destroy();
  });
});

describe('a request is what its first line says', () => {
  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('whatever %s claims', async (name) => {
    await call(`${gateway.url}/api/v1/orders?_method=DELETE`, { method: 'POST', body: '{}', headers: { [name]: 'DELETE' } });
    expect(upstream.seen.at(-1)?.method).toBe('POST');
    expect(upstream.seen.at(-1)?.headers).not.toHaveProperty(name.toLowerCase());
  });
});

describe('who calls', () => {
  const seenFrom = async (url: string, headers: Record<string, string | string[]>) => {
    await call(`${url}/api/v1/orders`, { headers });
    return upstream.seen.at(-1)?.headers['x-forwarded-for'];
  };

  test.each([
    ['a list', { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }],
    ['two headers', { 'x-forwarded-for': ['203.0.113.9', '127.0.0.1'] }],
    ['Forwarded', { forwarded: 'for=203.0.113.9' }],
    ['X-Real-IP', { 'x-real-ip': '203.0.113.9' }],
    ['a balancer’s own', { 'true-client-ip': '203.0.113.9', 'cf-connecting-ip': '203.0.113.9' }],
  ])('is the connection, not what it claims: %s', async (_, headers) => {
    expect(await seenFrom(gateway.url, headers)).toBe('127.0.0.1');
  });

  test.each([
    ['the last hop that is not ours', '6.6.6.6, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['the last hop, though it claims to be one of ours before', '10.0.0.7, 203.0.113.9', '203.0.113.9'],
    ['the last of several headers', ['10.0.0.7', '203.0.113.9'], '203.0.113.9'],
    ['the balancer, when the hop before it is no address', '203.0.113.9, <script>', '127.0.0.1'],
    ['the balancer, when all are ours', '10.0.0.7, 10.0.0.8', '127.0.0.1'],
    ['an IPv4 hop told as IPv6', '6.6.6.6, ::ffff:203.0.113.9', '203.0.113.9'],
  ])('behind a balancer of ours is %s', async (_, forwarded, address) => {
    await using behind = await gatewayBefore(upstream, { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    expect(await seenFrom(behind.url, { 'x-forwarded-for': forwarded })).toBe(address);
  });

  test('a forwarded host or protocol that is none is not handed on', async () => {
    await using behind = await gatewayBefore(upstream, { TRUSTED_PROXIES: '127.0.0.1' });
    const headers = { host: 'shop.example', 'x-forwarded-host': 'evil/path?"', 'x-forwarded-proto': 'javascript' };
    await call(`${behind.url}/api/v1/orders`, { headers });
    expect(upstream.seen.at(-1)?.headers).toMatchObject({ 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'http' });
  });
});
