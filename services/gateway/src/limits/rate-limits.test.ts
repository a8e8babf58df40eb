import { randomUUID } from 'node:crypto';
import { type AnyOperation, operations } from '@corner/contracts';
import { type FixedClock, fixedClock, type TestIssuer, testIssuer } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, type HttpRequest, type HttpResponse } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
let clock: FixedClock;
let issuer: TestIssuer;

const trusted = { TRUSTED_PROXIES: '127.0.0.1' };

beforeEach(async () => {
  clock = fixedClock('2026-05-01T12:00:00Z');
  upstream = await startUpstream();
  issuer = await testIssuer({ now: clock.now });
  gateway = await startTestGateway(upstream, trusted, { now: clock.now, keys: issuer.keys });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

interface Caller extends HttpRequest {
  readonly token?: string;
  readonly address?: string;
}

function send(path: string, { token, address = '203.0.113.1', ...sent }: Caller = {}): Promise<HttpResponse> {
  const headers = { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}), ...sent.headers };
  return call(gateway.url + path, { ...sent, headers });
}

const customerToken = (sub: string = randomUUID()) => issuer.token({ typ: 'customer', sub });

async function countServed(times: number, path: string, from: Caller = {}): Promise<number> {
  let count = 0;
  for (let round = 0; round < times; round += 1) count += (await send(path, from)).status === 429 ? 0 : 1;
  return count;
}

const state = '/api/v1/loyalty/customer-state?store_id=a&customer_id=b';
const store = (digit: string) => `0190a000-0000-7000-8000-00000000000${digit}`;
const mint = (storeId: string, more: object = {}) => ({ method: 'POST', body: JSON.stringify({ store_id: storeId, ...more }) });

describe('a rate limit of an operation', () => {
  test('refuses with 429, Retry-After and the rate limit headers, and the request is not forwarded', async () => {
    const token = await customerToken();
    expect(await countServed(120, state, { token })).toBe(120);
    const countBefore = upstream.seen.length;
    const refused = await send(state, { token, headers: { 'x-request-id': 'mine' } });
    expect(refused.status).toBe(429);
    expect(refused.json).toEqual({
      error: { code: 'RATE_LIMITED', message: expect.stringContaining('120 in 60 seconds'), requestId: 'mine' },
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"principal";q=120;w=60, "default";q=600;w=60',
      ratelimit: '"principal";r=0;t=1, "default";r=480;t=1',
    });
    expect(upstream.seen).toHaveLength(countBefore);
  });

  test('is in the headers of served responses, too', async () => {
    const { headers } = await send(state, { token: await customerToken() });
    expect(headers).toMatchObject({
      'ratelimit-policy': '"principal";q=120;w=60, "default";q=600;w=60',
      ratelimit: '"principal";r=119;t=1, "default";r=599;t=1',
    });
  });

  test('refills evenly: after Retry-After a request is served, and never more than the limit at once', async () => {
    const join = { method: 'POST', body: '{}' };
    expect(await countServed(31, '/api/v1/queue/join', join)).toBe(30);
    const refused = await send('/api/v1/queue/join', join);
    expect(refused.headers['retry-after']).toBe('2');
    clock.advance({ seconds: 1 });
    expect(await countServed(1, '/api/v1/queue/join', join)).toBe(0);
    clock.advance({ seconds: 1 });
    expect(await countServed(2, '/api/v1/queue/join', join)).toBe(1);
    clock.advance({ hours: 1 });
    expect(await countServed(31, '/api/v1/queue/join', join)).toBe(30);
  });

  test('counts each caller alone, and all tokens of a caller together', async () => {
    const sub = randomUUID();
    expect(await countServed(100, state, { token: await customerToken(sub) })).toBe(100);
    expect(await countServed(40, state, { token: await customerToken(sub), address: '203.0.113.2' })).toBe(20);
    expect(await countServed(1, state, { token: await customerToken() })).toBe(1);
    expect(await countServed(1, state, { token: await issuer.token({ typ: 'merchant', sub }) })).toBe(1);
  });

  test('cannot be avoided by another spelling of the token or the path, or by HEAD', async () => {
    const token = await customerToken();
    const spellings = [token, ...spellingsOf(token)];
    expect(new Set(spellings).size).toBe(32);
    let served = 0;
    for (let round = 0; round < 5; round += 1) for (const spelling of spellings) served += await countServed(1, state, { token: spelling });
    expect(served).toBe(120);
    expect((await send(state, { headers: { authorization: `bearer   ${token}` } })).status).toBe(429);
    expect((await send('/api/v1/loyalty/CUSTOMER-State/?x', { token })).status).toBe(429);
    expect((await send(state, { token, method: 'HEAD' })).status).toBe(429);
  });

  test('is not drained by a forged token that names the caller', async () => {
    const sub = randomUUID();
    await countServed(200, state, { token: await issuer.bad.forged({ typ: 'customer', sub }), address: '203.0.113.2' });
    expect(await countServed(121, state, { token: await customerToken(sub) })).toBe(120);
  });

  test('by address counts an IPv4 address, and a whole IPv6 /64', async () => {
    const join = { method: 'POST', body: '{}' };
    expect(await countServed(31, '/api/v1/queue/join', join)).toBe(30);
    expect(await countServed(1, '/api/v1/queue/join', { ...join, address: '203.0.113.2' })).toBe(1);
    expect(await countServed(30, '/api/v1/queue/join', { ...join, address: '2001:db8::1' })).toBe(30);
    expect(await countServed(1, '/api/v1/queue/join', { ...join, address: '2001:db8:0:0:ffff::2' })).toBe(0);
    expect(await countServed(1, '/api/v1/queue/join', { ...join, address: '2001:db8:0:1::1' })).toBe(1);
  });

  test('by address and store reads the store from the body, and forwards the body unchanged', async () => {
    const bodies: string[] = [];
    upstream.respond = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      response.end();
    };
    const path = '/api/v1/loyalty/stamp-codes';
    expect(await countServed(61, path, mint(store('1')))).toBe(60);
    expect(await countServed(1, path, mint(store('2'), { more: 'é' }))).toBe(1);
    expect(bodies.at(-1)).toBe(JSON.stringify({ store_id: store('2'), more: 'é' }));
    expect(await countServed(1, path, mint(store('1'), { device_info: 'x' }))).toBe(0);
    expect(await countServed(1, path, { ...mint(store('1')), address: '203.0.113.2' })).toBe(1);
    // Bodies that name no store share a bucket, so they cannot be used to avoid the limit.
    expect(await countServed(31, path, { method: 'POST', body: 'nonsense' })).toBe(31);
    expect(await countServed(30, path, { method: 'POST', body: '{"store_id":7}' })).toBe(29);
  });

  test('by address and client counts each OAuth client for itself, by HTTP Basic and in a form or JSON alike', async () => {
    const path = '/api/v1/directory/token/partner';
    const as = (client: string): Caller => ({ method: 'POST', body: `client_id=${client}&client_secret=x` });
    const json: Caller = { method: 'POST', body: JSON.stringify({ client_id: store('1').toUpperCase() }) };
    const basic: Caller = { method: 'POST', headers: { authorization: `Basic ${btoa(`${store('1')}:x`)}` } };
    expect(await countServed(31, path, as(store('1')))).toBe(30);
    const refused = await send(path, as(store('1')));
    expect([refused.headers['cache-control'], refused.json]).toEqual([
      'no-store',
      {
        error: 'temporarily_unavailable',
        error_description: expect.stringContaining('30 in 60 seconds'),
        code: 'RATE_LIMITED',
        requestId: refused.headers['x-request-id'],
      },
    ]);
    for (const another of [json, basic]) expect(await countServed(1, path, another)).toBe(0);
    expect(await countServed(1, path, as(store('2')))).toBe(1);
    expect(await countServed(1, path, { ...as(store('1')), address: '203.0.113.2' })).toBe(1);
  });

  test('by caller does not count callers without a token', async () => {
    expect(await countServed(11, '/api/v1/loyalty/stamp-codes', mint(store('1')))).toBe(11);
    expect(await countServed(11, '/api/v1/loyalty/stamp-codes', { ...mint(store('1')), token: await customerToken() })).toBe(10);
  });

  test('that counts failures counts only 4xx responses', async () => {
    const redeem = operations.find(({ name }) => name === 'redeemStampCode') as AnyOperation;
    await using limited = await startTestGateway(upstream, trusted, {
      now: clock.now,
      contracts: [{ ...redeem, limits: [{ by: 'address', counts: 'failures', limit: 20, windowSeconds: 300 }] }],
    });
    const statuses = async (times: number) => {
      const all: number[] = [];
      for (let round = 0; round < times; round += 1)
        all.push((await call(limited.url + redeem.path, { method: 'POST', body: '{}' })).status);
      return all;
    };
    expect(await statuses(25)).toEqual(Array(25).fill(200));
    upstream.respond = (_request, response) => void response.writeHead(404).end();
    expect(await statuses(21)).toEqual([...Array(20).fill(404), 429]);
    upstream.respond = (_request, response) => void response.end();
    expect(await statuses(1)).toEqual([429]);
    clock.advance({ seconds: 15 });
    expect(await statuses(5)).toEqual(Array(5).fill(200));
  });
});

test.each(['/token', '/token/refresh', '/token/revoke'])(
  'refusals of %s keep no one else at the address out: all people of a console have one',
  async (path) => {
    upstream.respond = (_request, response) => void response.writeHead(401).end();
    expect(await countServed(100, `/api/v1/directory${path}`, { method: 'POST', body: '{}' })).toBe(100);
  },
);

describe('the default limit', () => {
  test('is 600 requests a minute for a caller, over all operations', async () => {
    const token = await customerToken();
    expect(await countServed(300, '/api/v1/orders', { token })).toBe(300);
    expect(await countServed(301, '/api/v1/queue/anything', { token })).toBe(300);
    expect(await countServed(1, '/api/v1/orders', { token: await customerToken() })).toBe(1);
  });

  test('is 600 requests a minute for an address without a token', async () => {
    expect(await countServed(601, '/api/v1/orders')).toBe(600);
    expect(await countServed(1, '/api/v1/orders', { address: '203.0.113.2' })).toBe(1);
  });

  test('does not grow when a caller invents tokens', async () => {
    const known = await customerToken();
    expect(await countServed(1, '/api/v1/orders', { token: known })).toBe(1);
    let count = 0;
    for (let round = 0; round < 601; round += 1) count += await countServed(1, '/api/v1/orders', { token: `made.up.${round}` });
    expect(count).toBe(600);
    // Invented tokens from the same address do not limit a caller who is already known.
    expect(await countServed(1, '/api/v1/orders', { token: known })).toBe(1);
  });

  test('counts the address while the keys of the issuer cannot be fetched', async () => {
    await using alone = await startTestGateway(upstream, trusted, { now: clock.now });
    const headers = { authorization: `Bearer ${await customerToken()}` };
    const { status, headers: replied } = await call(`${alone.url}${state}`, { headers });
    expect([status, replied['ratelimit-policy']]).toEqual([200, '"default";q=600;w=60']);
  });

  test('does not apply to payment webhooks', async () => {
    expect(await countServed(650, '/webhooks/stripe', { method: 'POST', body: '{}' })).toBe(650);
  });

  test('applies to kitchen printers by their address, whatever token they invent', async () => {
    let count = 0;
    for (let round = 0; round < 601; round += 1) count += await countServed(1, `/printers/${round}`, { method: 'POST', body: '{}' });
    expect(count).toBe(600);
  });

  test('can be switched off', async () => {
    await using open = await startTestGateway(upstream, { RATE_LIMITS: 'off' }, { now: clock.now });
    for (let round = 0; round < 40; round += 1)
      expect(await call(`${open.url}/api/v1/queue/join`, { method: 'POST', body: '{}' })).toMatchObject({ status: 200 });
    expect((await call(`${open.url}/api/v1/orders`)).headers).not.toHaveProperty('ratelimit');
  });
});

test('a partner has 300 requests a minute, for itself and whatever its address, and reads in the headers what is left', async () => {
  const path = '/api/v1/orders?store_id=a';
  const token = await issuer.token({ typ: 'partner' });
  const { headers } = await send(path, { token });
  expect(headers['ratelimit-policy']).toBe('"partner";q=300;w=60');
  expect(await countServed(300, path, { token })).toBe(299);
  const refused = await send(path, { token, address: '203.0.113.2' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(await countServed(1, path, { token: await issuer.token({ typ: 'partner' }) })).toBe(1);
});

test('an address that only the caller claims does not count', async () => {
  await using plain = await startTestGateway(upstream, {}, { now: clock.now });
  let count = 0;
  for (let round = 0; round < 31; round += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${round}` };
    count += (await call(`${plain.url}/api/v1/queue/join`, { method: 'POST', body: '{}', headers })).status === 200 ? 1 : 0;
  }
  expect(count).toBe(30);
});

/**
 * Returns the other 31 spellings of a token: ECDSA has two signatures for one message, and the last base64url character of one has four
 * spare bits.
 */
function spellingsOf(token: string): readonly string[] {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = BigInt(`0x${bytes.toString('hex', 32)}`);
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')]);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spellings = [signature, twin.toString('base64url')].flatMap((spelled) => {
    const last = alphabet.indexOf(spelled.slice(-1)) & 0b110000;
    return Array.from({ length: 16 }, (_, spare) => `${header}.${payload}.${spelled.slice(0, -1)}${alphabet[last + spare]}`);
  });
  return spellings.filter((spelling) => spelling !== token);
}
