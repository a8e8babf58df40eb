import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, raw } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream);
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

describe('headers', () => {
  test('of the connection and those that Connection names are not forwarded; all others are, even unknown ones', async () => {
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
    for (const dropped of ['keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade', 'expect', 'x-private'])
      expect(names).not.toContain(dropped);
    expect(lastSeen()).toMatchObject({
      connection: 'keep-alive',
      'x-staff-token': 'st',
      'idempotency-key': 'k',
      authorization: 'Bearer t',
      cookie: 'a=1',
      'content-length': '2',
    });
  });

  test('that name the caller are set by the gateway, whatever the caller sent in them', async () => {
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

  test('that prove who calls are of their own request, however many share a connection', async () => {
    const request = (path: string, ...headers: readonly string[]) => [`POST ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
    const proof = ['Authorization: Bearer of-ana', 'Cookie: a=1', 'X-Staff-Token: st', 'Idempotency-Key: k'];
    const first = request('/api/v1/orders?first', ...proof, 'Content-Length: 2');
    const last = request('/api/v1/orders?last', 'Authorization: Bearer of-bo', 'Connection: close');
    await raw(gateway.url, `${first}{}${request('/api/v1/orders?second', 'Content-Length: 0')}${last}`);
    const seen = upstream.seen.slice(-3).toSorted((one, other) => ((one.url ?? '') < (other.url ?? '') ? -1 : 1));
    const proofs = ['authorization', 'cookie', 'x-staff-token', 'idempotency-key'] as const;
    expect(seen.map(({ url, headers }) => [url, ...proofs.map((name) => headers[name])])).toEqual([
      ['/api/v1/orders?first', 'Bearer of-ana', 'a=1', 'st', 'k'],
      ['/api/v1/orders?last', 'Bearer of-bo', undefined, undefined, undefined],
      ['/api/v1/orders?second', undefined, undefined, undefined, undefined],
    ]);
  });

  test('that name the caller are kept when a trusted load balancer sent them', async () => {
    await using behind = await startTestGateway(upstream, { TRUSTED_PROXIES: '127.0.0.1/32, ::1' });
    await call(`${behind.url}/api/v1/orders`, {
      headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' },
    });
    expect(lastSeen()).toMatchObject({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example',
    });
  });

  test('of a response are returned, except those of its connection, and each Set-Cookie stays separate', async () => {
    upstream.respond = (_request, response) => {
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

describe('the method of a request', () => {
  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is the one in the request line, and %s is not forwarded',
    async (name) => {
      await call(`${gateway.url}/api/v1/orders?_method=DELETE`, { method: 'POST', body: '{}', headers: { [name]: 'DELETE' } });
      expect(upstream.seen.at(-1)?.method).toBe('POST');
      expect(upstream.seen.at(-1)?.headers).not.toHaveProperty(name.toLowerCase());
    },
  );
});

describe('the caller’s address', () => {
  const seenFrom = async (url: string, headers: Record<string, string | string[]>) => {
    await call(`${url}/api/v1/orders`, { headers });
    return upstream.seen.at(-1)?.headers['x-forwarded-for'];
  };

  test.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }],
    ['two X-Forwarded-For headers', { 'x-forwarded-for': ['203.0.113.9', '127.0.0.1'] }],
    ['Forwarded', { forwarded: 'for=203.0.113.9' }],
    ['X-Real-IP', { 'x-real-ip': '203.0.113.9' }],
    ['a CDN’s headers', { 'true-client-ip': '203.0.113.9', 'cf-connecting-ip': '203.0.113.9' }],
  ])('is the connection’s, whatever the caller claims in %s', async (_, headers) => {
    expect(await seenFrom(gateway.url, headers)).toBe('127.0.0.1');
  });

  test.each([
    ['the last hop that is not trusted', '6.6.6.6, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['the last hop, even when a trusted address comes before it', '10.0.0.7, 203.0.113.9', '203.0.113.9'],
    ['the last of several headers', ['10.0.0.7', '203.0.113.9'], '203.0.113.9'],
    ['the load balancer’s, when the hop before it is no address', '203.0.113.9, <script>', '127.0.0.1'],
    ['the load balancer’s, when all hops are trusted', '10.0.0.7, 10.0.0.8', '127.0.0.1'],
    ['the IPv4 address of a hop that is written as IPv6', '6.6.6.6, ::ffff:203.0.113.9', '203.0.113.9'],
  ])('behind a trusted load balancer is %s', async (_, forwarded, address) => {
    await using behind = await startTestGateway(upstream, { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    expect(await seenFrom(behind.url, { 'x-forwarded-for': forwarded })).toBe(address);
  });

  test('is forwarded with the request’s own host and protocol when the forwarded ones are invalid', async () => {
    await using behind = await startTestGateway(upstream, { TRUSTED_PROXIES: '127.0.0.1' });
    const headers = { host: 'shop.example', 'x-forwarded-host': 'evil/path?"', 'x-forwarded-proto': 'javascript' };
    await call(`${behind.url}/api/v1/orders`, { headers });
    expect(upstream.seen.at(-1)?.headers).toMatchObject({ 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'http' });
  });
});
