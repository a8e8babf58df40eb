import { createServer } from 'node:net';
import { type AnyOperation, operations } from '@corner/contracts';
import { fixedClock, type TestDatabase, type TestIssuer, testDatabase, testIssuer, until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Item, parseList, Token } from 'structured-headers';
import type { RunningGateway } from '../gateway.ts';
import { call, type HttpRequest, type HttpResponse } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let database: TestDatabase;
let admin: pg.Client;
let replicas: TestUpstream[];
let gateways: RunningGateway[];
let issuer: TestIssuer;
let tokens: Record<'t1' | 't2', string>;

const operationNamed = (name: string) => operations.find((operation) => operation.name === name) as AnyOperation;
const redeem = operationNamed('redeemStampCode');

/** The windows are so long that no token is added while a test runs. */
const slowContracts: readonly AnyOperation[] = operations.map((operation) => ({
  ...operation,
  ...(operation.limits ? { limits: operation.limits.map((limit) => ({ ...limit, windowSeconds: 36_000 })) } : {}),
}));

beforeAll(async () => {
  database = await testDatabase('gateway');
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  issuer = await testIssuer();
  tokens = { t1: await issuer.token({ typ: 'customer' }), t2: await issuer.token({ typ: 'customer' }) };
});

afterAll(async () => {
  await admin.end();
  await database[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await admin.query('truncate gateway.bucket');
  replicas = [await startUpstream(), await startUpstream()];
  gateways = await Promise.all(
    replicas.map((replica) => startTestGateway(replica, sharedSettings(), { contracts: slowContracts, keys: issuer.keys })),
  );
});

afterEach(async () => {
  for (const part of [...gateways, ...replicas]) await part[Symbol.asyncDispose]();
});

interface Caller extends HttpRequest {
  readonly caller?: 't1' | 't2';
  readonly address?: string;
}

function send(index: number, path: string, { caller, address = '203.0.113.1', ...sent }: Caller = {}): Promise<HttpResponse> {
  const headers = { 'x-forwarded-for': address, ...(caller ? { authorization: `Bearer ${tokens[caller]}` } : {}), ...sent.headers };
  return call(`${gateways[index % gateways.length]?.url}${path}`, { ...sent, headers });
}

async function countServed(times: number, path: string, from: Caller = {}, atOnce = true): Promise<number> {
  const all: HttpResponse[] = [];
  if (atOnce) all.push(...(await Promise.all(Array.from({ length: times }, (_, index) => send(index, path, from)))));
  else for (let index = 0; index < times; index += 1) all.push(await send(index, path, from));
  return all.filter(({ status }) => status !== 429).length;
}

/** The timeouts are so long that a busy machine changes nothing. `locked` is for tests that wait for the timeout. */
const sharedSettings = () => ({ LIMITS_DATABASE_URL: database.url, LIMITS_TIMEOUT_MS: '15000', TRUSTED_PROXIES: '127.0.0.1' });

const locked = () => ({ LIMITS_DATABASE_URL: database.url, LIMITS_TIMEOUT_MS: '5000' });

async function lockTable(): Promise<AsyncDisposable> {
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('begin; lock table gateway.bucket in access exclusive mode');
  return { [Symbol.asyncDispose]: () => holder.end() };
}

const post = { method: 'POST', body: '{}' };
const limited: readonly [string, string, Caller, number][] = [
  ['customer state', operationNamed('customerState').path, { caller: 't1' }, 120],
  ['the list of preferences', operationNamed('listPreferences').path, { caller: 't1' }, 60],
  ['generating a code, by address and store', operationNamed('generateStampCode').path, post, 60],
  ['generating a code, by caller', operationNamed('generateStampCode').path, { ...post, caller: 't1' }, 10],
  ['redeeming a code', redeem.path, post, 60],
  ['joining a queue', operationNamed('joinQueue').path, post, 30],
];

describe('two gateways over one database', () => {
  test.each(limited)('together serve as many requests as one alone would: %s', async (_, path, from, limit) => {
    expect(await countServed(limit + 20, path, from)).toBe(limit);
    expect(replicas.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(limit);
    for (const replica of replicas) expect(replica.seen.length).toBeGreaterThan(0);
  });

  test('both refuse when the limit is used up on either, and other addresses are not affected', async () => {
    expect(await countServed(31, operationNamed('joinQueue').path, post, false)).toBe(30);
    expect(await countServed(2, operationNamed('joinQueue').path, { ...post, address: '203.0.113.2' })).toBe(2);
  });

  test('add tokens evenly', async () => {
    expect(await countServed(31, operationNamed('joinQueue').path, post)).toBe(30);
    // 36,000 seconds for 30 tokens: 1,200 for one.
    await admin.query(`update gateway.bucket set full_at = full_at - interval '2410 seconds'`);
    const fresh = await Promise.all(
      replicas.map((replica) => startTestGateway(replica, sharedSettings(), { contracts: slowContracts, keys: issuer.keys })),
    );
    const before = gateways;
    gateways = fresh;
    expect(await countServed(5, operationNamed('joinQueue').path, post)).toBe(2);
    await Promise.all(before.map((gateway) => gateway[Symbol.asyncDispose]()));
  });

  test('take no tokens for a request that one of two limits refuses', async () => {
    const path = operationNamed('generateStampCode').path;
    expect(await countServed(15, path, { ...post, caller: 't1' }, false)).toBe(10);
    expect(await countServed(60, path, { ...post, caller: 't2' }, false)).toBe(10);
    expect(await countServed(45, path, post, false)).toBe(40);
  });

  test('together count 4xx responses, and do not count served requests, replayed responses or 304', async () => {
    const respondWith = (status: number, headers: Record<string, string> = {}) => {
      for (const replica of replicas) replica.respond = (_request, response) => void response.writeHead(status, headers).end();
    };
    respondWith(200);
    expect(await countServed(10, redeem.path, post, false)).toBe(10);
    respondWith(404, { 'Idempotent-Replayed': 'true' });
    expect(await countServed(10, redeem.path, post, false)).toBe(10);
    respondWith(304);
    expect(await countServed(10, redeem.path, post, false)).toBe(10);
    respondWith(404);
    const failures = async (): Promise<number> =>
      Number(
        (await admin.query('select round(extract(epoch from full_at - now()) / every) as n from gateway.bucket order by span / every'))
          .rows[0]?.n,
      );
    for (let index = 0; index < 20; index += 1) {
      expect((await send(index, redeem.path, post)).status).toBe(404);
      await until(async () => (await failures()) === index + 1, { describe: 'the failure to be counted' });
    }
    for (const index of [0, 1]) expect((await send(index, redeem.path, post)).status).toBe(429);
  });

  test('a limit that is known to be used up is refused without a query', async () => {
    expect(await countServed(32, operationNamed('joinQueue').path, post, false)).toBe(30);
    await using _lock = await lockTable();
    expect(await countServed(50, operationNamed('joinQueue').path, post)).toBe(0);
    const { json } = await call(`${gateways[0]?.url}/readyz`);
    expect(json.checks.limits).toBe('ok');
  });
});

/** Parses a field by the draft's grammar: a list of strings with integer parameters. */
function parseField(field: unknown): Record<string, Record<string, unknown>> {
  const list = parseList(String(field)) as Item[];
  return Object.fromEntries(
    list.map(([name, parameters]) => {
      expect(typeof name).toBe('string');
      expect(name).not.toBeInstanceOf(Token);
      for (const value of parameters.values()) expect(Number.isInteger(value) && Number(value) >= 0).toBe(true);
      return [String(name), Object.fromEntries(parameters)];
    }),
  );
}

describe('RateLimit-Policy and RateLimit', () => {
  test.each(limited)('are on every response and follow the draft’s grammar: %s', async (_, path, from, limit) => {
    const responses = await Promise.all(Array.from({ length: limit + 4 }, (_, index) => send(index, path, from)));
    responses.push(await send(0, path, from), await send(1, path, from));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { status, headers } of responses) {
      const policies = parseField(headers['ratelimit-policy']);
      const left = parseField(headers.ratelimit);
      expect(Object.keys(left)).toEqual(Object.keys(policies));
      for (const [name, { q, w, ...rest }] of Object.entries(policies)) {
        expect([q, w]).toEqual([expect.any(Number), name === 'default' ? 60 : 36_000]);
        expect(rest).toEqual({});
        const { r, t, ...others } = left[name] ?? {};
        expect(others).toEqual({});
        expect(Number(r)).toBeLessThanOrEqual(Number(q));
        expect(Number(t)).toBeGreaterThanOrEqual(1);
        expect(Number(t)).toBeLessThanOrEqual(Number(w));
      }
      const dry = Object.entries(left).filter(([, { r }]) => r === 0);
      if (status === 429) {
        expect(dry).not.toEqual([]);
        expect(Number(headers['retry-after'])).toBe(Math.max(...dry.map(([, { t }]) => Number(t))));
      }
    }
  });

  test('include what the other gateway served', async () => {
    const join = operationNamed('joinQueue').path;
    await send(0, join, post);
    await send(0, join, post);
    expect(parseField((await send(1, join, post)).headers.ratelimit).address).toMatchObject({ r: 27 });
  });
});

describe('a database that cannot be reached', () => {
  test('fails no request: each gateway counts alone and reports the fault in /readyz', async () => {
    const clock = fixedClock('2026-05-01T12:00:00Z');
    const refusing = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const away = new URL(database.url);
    away.port = String((refusing.address() as { port: number }).port);
    const replica = replicas[0] as TestUpstream;
    await using testGateway = await startTestGateway(
      replica,
      { LIMITS_DATABASE_URL: away.href },
      { contracts: slowContracts, now: clock.now },
    );
    const join = () => call(testGateway.url + operationNamed('joinQueue').path, post);
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) statuses.push((await join()).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    const { status, json } = await call(`${testGateway.url}/readyz`);
    expect(status).toBe(200);
    expect(json.checks.limits).not.toBe('ok');
    await new Promise((resolve) => refusing.close(resolve));
  });

  test('makes only one request wait, and is used again when it is back', async () => {
    const clock = fixedClock('2026-05-01T12:00:00Z');
    const replica = replicas[0] as TestUpstream;
    await using gateway = await startTestGateway(replica, locked(), { contracts: slowContracts, now: clock.now });
    const join = () => call(gateway.url + operationNamed('joinQueue').path, post);
    const limits = async () => (await call(`${gateway.url}/readyz`)).json.checks.limits;
    {
      await using _lock = await lockTable();
      expect((await join()).status).toBe(200);
      expect(await limits()).not.toBe('ok');
    }
    // The database is not queried for a second of the test's clock, which stands still. This process counted the requests meanwhile.
    for (let index = 0; index < 5; index += 1) expect((await join()).status).toBe(200);
    expect(await limits()).not.toBe('ok');
    clock.advance({ seconds: 2 });
    const { headers } = await join();
    expect(await limits()).toBe('ok');
    expect(parseField(headers.ratelimit).address?.r).toBe(23);
  });

  test('does not bring a second quota when it is back', async () => {
    const clock = fixedClock('2026-05-01T12:00:00Z');
    const replica = replicas[0] as TestUpstream;
    await using gateway = await startTestGateway(replica, locked(), { contracts: slowContracts, now: clock.now });
    const join = () => call(gateway.url + operationNamed('joinQueue').path, post);
    const served = async (times: number) => {
      let count = 0;
      for (let round = 0; round < times; round += 1) count += (await join()).status === 200 ? 1 : 0;
      return count;
    };
    {
      await using _lock = await lockTable();
      expect(await served(25)).toBe(25);
    }
    clock.advance({ seconds: 2 });
    expect(await served(30)).toBe(5);
  });
});
