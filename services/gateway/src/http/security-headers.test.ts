import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, raw } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
const page = 'https://shop.example';

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, {
    QUEUE_URL: await deadAddress(),
    CORS_ORIGINS: page,
    HEADERS_TIMEOUT_MS: '150',
  });
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const expectedHeaders = {
  'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    (text.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );

test('a picture is shown by pages of any origin, and runs nothing', async () => {
  const { headers } = await call(`${gateway.url}/api/v1/directory/pictures/ab`);
  expect(headers).toMatchObject({
    ...expectedHeaders,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
  });
});

describe('the security headers are on', () => {
  const post = { method: 'POST', body: 'x'.repeat(70_000) };
  const kinds: readonly [string, number, string, Parameters<typeof call>[1]?][] = [
    ['a service’s response', 200, '/api/v1/orders'],
    ['the response for a service that cannot be reached', 503, '/api/v1/queue/status'],
    ['the refusal of a body that is too large', 413, '/api/v1/orders', post],
    ['a response without a route', 404, '/nowhere'],
    ['a response to a path that cannot be decoded', 404, '/%'],
    ['a page of the reference', 200, '/docs'],
    ['openapi.json', 200, '/api/v1/openapi.json'],
    ['the search of the reference', 200, '/docs/search.json'],
    ['the liveness check', 200, '/livez'],
    [
      'a preflight’s response',
      204,
      '/api/v1/orders',
      { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'GET' } },
    ],
  ];
  test.each(kinds)('%s', async (_, status, path, sent = {}) => {
    const response = await call(gateway.url + path, sent);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject(expectedHeaders);
    expect(response.headers).not.toHaveProperty('x-powered-by');
    expect(response.headers).not.toHaveProperty('server');
    expect(response.headers).not.toHaveProperty('strict-transport-security');
  });

  test('the refusal of a request over its limit', async () => {
    await using small = await startTestGateway(upstream);
    const all = await Promise.all(Array.from({ length: 31 }, () => call(`${small.url}/api/v1/queue/join`, { method: 'POST', body: '{}' })));
    expect(all.find(({ status }) => status === 429)?.headers).toMatchObject(expectedHeaders);
  });

  test.each([
    [
      'the refusal of ambiguous framing',
      400,
      'POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['the refusal of two Host headers', 400, 'GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['the refusal of headers that are too large', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['the refusal of headers that arrive too slowly', 408, 'GET / HTTP/1.1\r\nHost: a\r\nX: '],
  ])('%s', async (_, status, bytes) => {
    const text = await raw(gateway.url, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(headersOf(text)).toMatchObject(expectedHeaders);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { requestId: headersOf(text)['x-request-id'] } });
  });

  test('a response over TLS, as a trusted load balancer reports it, which also has HSTS', async () => {
    await using behind = await startTestGateway(upstream, { TRUSTED_PROXIES: '127.0.0.1' });
    const over = async (url: string, protocol: string) =>
      (await call(`${url}/api/v1/orders`, { headers: { 'x-forwarded-proto': protocol } })).headers['strict-transport-security'];
    expect(await over(behind.url, 'https')).toMatch(/^max-age=\d{8}/);
    expect(await over(behind.url, 'http')).toBeUndefined();
    expect(await over(gateway.url, 'https')).toBeUndefined();
  });

  test('a service’s response, in place of the values that the service set', async () => {
    upstream.respond = (_request, response) => {
      response.writeHead(200, { 'Content-Security-Policy': 'default-src *', 'X-Frame-Options': 'ALLOWALL', Vary: 'Accept' }).end('{}');
    };
    const { headers } = await call(`${gateway.url}/api/v1/orders`);
    expect(headers).toMatchObject({ ...expectedHeaders, vary: 'Accept, Origin' });
  });
});
