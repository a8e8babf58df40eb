import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, raw } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await gatewayBefore(upstream);
});

beforeEach(() => {
  upstream.answer = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

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
