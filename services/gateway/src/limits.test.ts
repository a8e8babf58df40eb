import { type AnyOperation, operations } from '@corner/contracts';
import { type FixedClock, fixedClock } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, type Received, type Sent } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
let clock: FixedClock;

/** A balancer that says where each request comes from, so that a test can have many addresses. */
const trusted = { TRUSTED_PROXIES: '127.0.0.1' };

beforeEach(async () => {
  clock = fixedClock('2026-05-01T12:00:00Z');
  upstream = await startUpstream();
  gateway = await gatewayBefore(upstream, trusted, { now: clock.now });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

interface From extends Sent {
  readonly token?: string;
  readonly address?: string;
}

function ask(path: string, { token, address = '203.0.113.1', ...sent }: From = {}): Promise<Received> {
  const headers = { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}), ...sent.headers };
  return call(gateway.url + path, { ...sent, headers });
}

/** Asks `times` times and tells how many were served. */
async function served(times: number, path: string, from: From = {}): Promise<number> {
  let count = 0;
  for (let round = 0; round < times; round += 1) count += (await ask(path, from)).status === 429 ? 0 : 1;
  return count;
}

const state = '/api/v1/loyalty/customer-state?store_id=a&customer_id=b';
const store = (digit: string) => `0190a000-0000-7000-8000-00000000000${digit}`;
const mint = (storeId: string, more: object = {}) => ({ method: 'POST', body: JSON.stringify({ store_id: storeId, ...more }) });

describe('a limit', () => {
  test('refuses with 429, the envelope, Retry-After and what is left; the service sees nothing of it', async () => {
    expect(await served(120, state, { token: 't1' })).toBe(120);
    const seen = upstream.seen.length;
    const refused = await ask(state, { token: 't1', headers: { 'x-request-id': 'mine' } });
    expect(refused.status).toBe(429);
    expect(refused.json).toEqual({
      error: { code: 'RATE_LIMITED', message: expect.stringContaining('120 in 60 seconds'), requestId: 'mine' },
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"principal";q=120;w=60, "default";q=600;w=60',
      ratelimit: '"principal";r=0;t=1, "default";r=480;t=1',
    });
    expect(upstream.seen).toHaveLength(seen);
  });

  test('is told on answers that are served, too', async () => {
    const { headers } = await ask(state, { token: 't1' });
    expect(headers).toMatchObject({
      'ratelimit-policy': '"principal";q=120;w=60, "new-token";q=600;w=60, "default";q=600;w=60',
      ratelimit: '"principal";r=119;t=1, "new-token";r=599;t=1, "default";r=599;t=1',
    });
  });

  test('refills evenly: after Retry-After there is room again, and never more than the whole', async () => {
    const join = { method: 'POST', body: '{}' };
    expect(await served(31, '/api/v1/queue/join', join)).toBe(30);
    const refused = await ask('/api/v1/queue/join', join);
    expect(refused.headers['retry-after']).toBe('2');
    clock.advance({ seconds: 1 });
    expect(await served(1, '/api/v1/queue/join', join)).toBe(0);
    clock.advance({ seconds: 1 });
    expect(await served(2, '/api/v1/queue/join', join)).toBe(1);
    clock.advance({ hours: 1 });
    expect(await served(31, '/api/v1/queue/join', join)).toBe(30);
  });

  test('is each caller’s own: another token, however alike, has its own bucket', async () => {
    expect(await served(121, state, { token: 'header.payload.one' })).toBe(120);
    expect(await served(1, state, { token: 'header.payload.two' })).toBe(1);
  });

  test('is not escaped by another spelling of the token or the path, or by HEAD', async () => {
    expect(await served(120, state, { token: 't1' })).toBe(120);
    expect((await ask(state, { headers: { authorization: 'bearer   t1' } })).status).toBe(429);
    expect((await ask('/api/v1/loyalty/CUSTOMER-State/?x', { token: 't1' })).status).toBe(429);
    expect((await ask(state, { token: 't1', method: 'HEAD' })).status).toBe(429);
  });

  test('by address holds for an address, and for a whole IPv6 /64', async () => {
    const join = { method: 'POST', body: '{}' };
    expect(await served(31, '/api/v1/queue/join', join)).toBe(30);
    expect(await served(1, '/api/v1/queue/join', { ...join, address: '203.0.113.2' })).toBe(1);
    expect(await served(30, '/api/v1/queue/join', { ...join, address: '2001:db8::1' })).toBe(30);
    expect(await served(1, '/api/v1/queue/join', { ...join, address: '2001:db8:0:0:ffff::2' })).toBe(0);
    expect(await served(1, '/api/v1/queue/join', { ...join, address: '2001:db8:0:1::1' })).toBe(1);
  });

  test('by address and store reads the store from the body, and leaves the body whole', async () => {
    const bodies: string[] = [];
    upstream.answer = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      response.end();
    };
    const path = '/api/v1/loyalty/stamp-codes';
    expect(await served(61, path, mint(store('1')))).toBe(60);
    expect(await served(1, path, mint(store('2'), { more: 'é' }))).toBe(1);
    expect(bodies.at(-1)).toBe(JSON.stringify({ store_id: store('2'), more: 'é' }));
    expect(await served(1, path, mint(store('1'), { device_info: 'x' }))).toBe(0);
    expect(await served(1, path, { ...mint(store('1')), address: '203.0.113.2' })).toBe(1);
    // Whatever names no store shares a bucket, so nonsense is no way round.
    expect(await served(31, path, { method: 'POST', body: 'nonsense' })).toBe(31);
    expect(await served(30, path, { method: 'POST', body: '{"store_id":7}' })).toBe(29);
  });

  test('by caller is not held against callers without a token', async () => {
    expect(await served(11, '/api/v1/loyalty/stamp-codes', mint(store('1')))).toBe(11);
    expect(await served(11, '/api/v1/loyalty/stamp-codes', { ...mint(store('1')), token: 't1' })).toBe(10);
  });

  test('on failures counts refusals alone', async () => {
    const redeem = operations.find(({ name }) => name === 'redeemStampCode') as AnyOperation;
    await using guarded = await gatewayBefore(upstream, trusted, {
      now: clock.now,
      contracts: [{ ...redeem, limits: [{ by: 'address', counts: 'failures', limit: 20, windowSeconds: 300 }] }],
    });
    const statuses = async (times: number) => {
      const all: number[] = [];
      for (let round = 0; round < times; round += 1)
        all.push((await call(guarded.url + redeem.path, { method: 'POST', body: '{}' })).status);
      return all;
    };
    expect(await statuses(25)).toEqual(Array(25).fill(200));
    upstream.answer = (_request, response) => void response.writeHead(404).end();
    expect(await statuses(21)).toEqual([...Array(20).fill(404), 429]);
    upstream.answer = (_request, response) => void response.end();
    expect(await statuses(1)).toEqual([429]);
    clock.advance({ seconds: 15 });
    expect(await statuses(5)).toEqual(Array(5).fill(200));
  });
});

describe('everything together', () => {
  test('is 600 a minute for a token, over all operations', async () => {
    expect(await served(300, '/api/v1/orders', { token: 't1' })).toBe(300);
    expect(await served(301, '/api/v1/queue/anything', { token: 't1' })).toBe(300);
    expect(await served(1, '/api/v1/orders', { token: 't2' })).toBe(1);
  });

  test('is 600 a minute for an address without a token', async () => {
    expect(await served(601, '/api/v1/orders')).toBe(600);
    expect(await served(1, '/api/v1/orders', { address: '203.0.113.2' })).toBe(1);
  });

  test('does not grow by making tokens up', async () => {
    let count = 0;
    for (let round = 0; round < 601; round += 1) count += await served(1, '/api/v1/orders', { token: `made-up-${round}` });
    expect(count).toBe(600);
    // A token already known is not held up by what others at its address invent.
    expect(await served(1, '/api/v1/orders', { token: 'made-up-1' })).toBe(1);
  });

  test('never turns a payment webhook away', async () => {
    expect(await served(650, '/webhooks/stripe', { method: 'POST', body: '{}' })).toBe(650);
  });

  test('can be switched off', async () => {
    await using open = await gatewayBefore(upstream, { RATE_LIMITS: 'off' }, { now: clock.now });
    for (let round = 0; round < 40; round += 1)
      expect(await call(`${open.url}/api/v1/queue/join`, { method: 'POST', body: '{}' })).toMatchObject({ status: 200 });
    expect((await call(`${open.url}/api/v1/orders`)).headers).not.toHaveProperty('ratelimit');
  });
});

test('an address that only the caller claims is not believed', async () => {
  await using plain = await gatewayBefore(upstream, {}, { now: clock.now });
  let count = 0;
  for (let round = 0; round < 31; round += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${round}` };
    count += (await call(`${plain.url}/api/v1/queue/join`, { method: 'POST', body: '{}', headers })).status === 200 ? 1 : 0;
  }
  expect(count).toBe(30);
});
