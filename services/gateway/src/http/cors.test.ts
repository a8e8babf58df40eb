import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readGatewayConfig } from '../config.ts';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { noIssuer, startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
const page = 'https://shop.example';

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, { QUEUE_URL: await deadAddress(), CORS_ORIGINS: `${page}, http://localhost.example:3000` });
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe('pages of other origins', () => {
  const preflight = (origin: string, url = gateway.url) =>
    call(`${url}/api/v1/orders`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  test('that are listed may send the headers of the contracts and read the response headers', async () => {
    const countBefore = upstream.seen.length;
    const { status, headers } = await preflight(page);
    expect(status).toBe(204);
    expect(headers).toMatchObject({ 'access-control-allow-origin': page, vary: 'Origin' });
    expect(String(headers['access-control-allow-methods']).split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST']);
    const allowedHeaders = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-request-id', 'x-staff-token', 'traceparent'])
      expect(allowedHeaders).toContain(name);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(upstream.seen).toHaveLength(countBefore);
    for (const path of ['/api/v1/orders', '/api/v1/queue/status', '/nowhere']) {
      const response = await call(gateway.url + path, { headers: { origin: page } });
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': page, vary: 'Origin' });
      const exposed = String(response.headers['access-control-expose-headers']).split(', ');
      expect(exposed.sort()).toEqual(['ETag', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']);
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
    'http://localhost.evil.example',
    'http://localhost:3000.evil.example',
  ])('%s gets no CORS header', async (origin) => {
    const allowing = expect.stringMatching(/^access-control/);
    expect(Object.keys((await preflight(origin)).headers)).not.toContainEqual(allowing);
    const { headers } = await call(`${gateway.url}/api/v1/orders`, { headers: { origin } });
    expect(Object.keys(headers)).not.toContainEqual(allowing);
    expect(headers.vary).toBe('Origin');
  });

  test.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'https://localhost'])(
    'of a developer’s own machine, such as %s, may call in development and not in production',
    async (origin) => {
      await using plain = await startTestGateway(upstream);
      expect((await preflight(origin, plain.url)).headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
      expect((await preflight(page, plain.url)).headers).not.toHaveProperty('access-control-allow-origin');
      await using inProduction = await startTestGateway(upstream, { NODE_ENV: 'production' });
      expect((await preflight(origin, inProduction.url)).headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('get no CORS header in production by default', async () => {
    await using plain = await startTestGateway(upstream, { NODE_ENV: 'production' });
    const { status, headers } = await preflight(page, plain.url);
    expect(status).toBe(204);
    expect(Object.keys(headers)).not.toContainEqual(expect.stringMatching(/^access-control|^vary/));
  });

  test('may all be allowed in development and never in production', () => {
    const services = ['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, 'http://a']);
    const urls = { ...noIssuer, ...Object.fromEntries(services) };
    expect(readGatewayConfig({ ...urls, CORS_ORIGINS: '*' }).CORS_ORIGINS).toEqual(['*']);
    expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: '*', NODE_ENV: 'production' })).toThrow('CORS_ORIGINS');
    expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: `${page}, *`, NODE_ENV: 'production' })).toThrow('CORS_ORIGINS');
    for (const wrong of ['shop.example', `${page}/`, `${page}/path`, 'https://*.example', 'null', 'HTTPS://shop.example'])
      expect(() => readGatewayConfig({ ...urls, CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS');
  });

  test('do not change an OPTIONS request that is no preflight: it goes to the service', async () => {
    await call(`${gateway.url}/api/v1/orders`, { method: 'OPTIONS' });
    expect(upstream.seen.at(-1)?.method).toBe('OPTIONS');
  });
});
