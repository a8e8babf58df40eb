import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
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
