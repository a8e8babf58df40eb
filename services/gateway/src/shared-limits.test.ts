import { createServer } from 'node:net';
import { type AnyOperation, operations } from '@corner/contracts';
import { fixedClock, type TestDatabase, testDatabase, until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Item, parseList, Token } from 'structured-headers';
import type { RunningGateway } from './gateway.ts';
import { call, type Received, type Sent } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { startUpstream, type TestUpstream } from './testing/upstream.ts';

let database: TestDatabase;
let admin: pg.Client;
let replicas: TestUpstream[];
let gateways: RunningGateway[];

const named = (name: string) => operations.find((operation) => operation.name === name) as AnyOperation;
const redeem = named('redeemStampCode');

/** The operations under test, with windows so long that no token comes back while a test runs. */
const slow: readonly AnyOperation[] = operations.map((operation) => ({
  ...operation,
  ...(operation.limits ? { limits: operation.limits.map((limit) => ({ ...limit, windowSeconds: 36_000 })) } : {}),
}));

beforeAll(async () => {
  database = await testDatabase('gateway');
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await database[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await admin.query('truncate gateway.bucket');
  replicas = [await startUpstream(), await startUpstream()];
  gateways = await Promise.all(replicas.map((replica) => gatewayBefore(replica, together(), { contracts: slow })));
});

afterEach(async () => {
  for (const part of [...gateways, ...replicas]) await part[Symbol.asyncDispose]();
});

interface From extends Sent {
  readonly token?: string;
  readonly address?: string;
}

function ask(index: number, path: string, { token, address = '203.0.113.1', ...sent }: From = {}): Promise<Received> {
  const headers = { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}), ...sent.headers };
  return call(`${gateways[index % gateways.length]?.url}${path}`, { ...sent, headers });
}

/** Asks both gateways in turn, `at once` or one after the other, and tells how many were not refused. */
async function served(times: number, path: string, from: From = {}, atOnce = true): Promise<number> {
  const all: Received[] = [];
  if (atOnce) all.push(...(await Promise.all(Array.from({ length: times }, (_, index) => ask(index, path, from)))));
  else for (let index = 0; index < times; index += 1) all.push(await ask(index, path, from));
  return all.filter(({ status }) => status !== 429).length;
}

/** So patient that a busy machine changes nothing. */
const together = () => ({ LIMITS_DATABASE_URL: database.url, LIMITS_TIMEOUT_MS: '15000', TRUSTED_PROXIES: '127.0.0.1' });

/** Nobody draws while this is held. */
async function shutTable(): Promise<AsyncDisposable> {
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('begin; lock table gateway.bucket in access exclusive mode');
  return { [Symbol.asyncDispose]: () => holder.end() };
}

const post = { method: 'POST', body: '{}' };
const limited: readonly [string, string, From, number][] = [
  ['customer state', named('customerState').path, { token: 't1' }, 120],
  ['the list of preferences', named('listPreferences').path, { token: 't1' }, 60],
  ['generating a code, by address and store', named('generateStampCode').path, post, 60],
  ['generating a code, by caller', named('generateStampCode').path, { ...post, token: 't1' }, 10],
  ['redeeming a code', redeem.path, post, 60],
  ['joining a queue', named('joinQueue').path, post, 30],
];

describe('two gateways over one database', () => {
  test.each(limited)('serve as much together as one alone: %s', async (_, path, from, limit) => {
    expect(await served(limit + 20, path, from)).toBe(limit);
    expect(replicas.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(limit);
    for (const replica of replicas) expect(replica.seen.length).toBeGreaterThan(0);
  });

  test('refuse once either has been told, and leave others alone', async () => {
    expect(await served(31, named('joinQueue').path, post, false)).toBe(30);
    expect(await served(2, named('joinQueue').path, { ...post, address: '203.0.113.2' })).toBe(2);
  });

  test('give tokens back evenly', async () => {
    expect(await served(31, named('joinQueue').path, post)).toBe(30);
    // 36,000 seconds for 30 tokens: 1,200 for one.
    await admin.query(`update gateway.bucket set full_at = full_at - interval '2410 seconds'`);
    const fresh = await Promise.all(replicas.map((replica) => gatewayBefore(replica, together(), { contracts: slow })));
    const before = gateways;
    gateways = fresh;
    expect(await served(5, named('joinQueue').path, post)).toBe(2);
    await Promise.all(before.map((gateway) => gateway[Symbol.asyncDispose]()));
  });

  test('take nothing for a request that one of two limits refuses', async () => {
    const path = named('generateStampCode').path;
    expect(await served(15, path, { ...post, token: 't1' }, false)).toBe(10);
    expect(await served(60, path, { ...post, token: 't2' }, false)).toBe(10);
    expect(await served(45, path, post, false)).toBe(40);
  });

  test('count refusals of the service together, not what it serves, nor an answer given again, nor 304', async () => {
    const answer = (status: number, headers: Record<string, string> = {}) => {
      for (const replica of replicas) replica.answer = (_request, response) => void response.writeHead(status, headers).end();
    };
    answer(200);
    expect(await served(10, redeem.path, post, false)).toBe(10);
    answer(404, { 'Idempotent-Replayed': 'true' });
    expect(await served(10, redeem.path, post, false)).toBe(10);
    answer(304);
    expect(await served(10, redeem.path, post, false)).toBe(10);
    answer(404);
    const failures = async (): Promise<number> =>
      Number(
        (await admin.query('select round(extract(epoch from full_at - now()) / every) as n from gateway.bucket order by span / every'))
          .rows[0]?.n,
      );
    for (let index = 0; index < 20; index += 1) {
      expect((await ask(index, redeem.path, post)).status).toBe(404);
      await until(async () => (await failures()) === index + 1, { describe: 'the refusal to be counted' });
    }
    for (const index of [0, 1]) expect((await ask(index, redeem.path, post)).status).toBe(429);
  });

  test('a limit already refused is refused again without asking the database', async () => {
    expect(await served(32, named('joinQueue').path, post, false)).toBe(30);
    await using _shut = await shutTable();
    expect(await served(50, named('joinQueue').path, post)).toBe(0);
    const { json } = await call(`${gateways[0]?.url}/readyz`);
    expect(json.checks.limits).toBe('ok');
  });
});

/** A list of items as the draft has it: each a string with integer parameters. */
function parsed(field: unknown): Record<string, Record<string, unknown>> {
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
  test.each(limited)('stand on every answer and parse by the draft’s grammar: %s', async (_, path, from, limit) => {
    const responses = await Promise.all(Array.from({ length: limit + 4 }, (_, index) => ask(index, path, from)));
    responses.push(await ask(0, path, from), await ask(1, path, from));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { status, headers } of responses) {
      const policies = parsed(headers['ratelimit-policy']);
      const left = parsed(headers.ratelimit);
      expect(Object.keys(left)).toEqual(Object.keys(policies));
      for (const [name, { q, w, ...rest }] of Object.entries(policies)) {
        expect([q, w]).toEqual([expect.any(Number), name === 'default' || name === 'new-token' ? 60 : 36_000]);
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

  test('tell what the other gateway served, too', async () => {
    const join = named('joinQueue').path;
    await ask(0, join, post);
    await ask(0, join, post);
    expect(parsed((await ask(1, join, post)).headers.ratelimit).address).toMatchObject({ r: 27 });
  });
});

describe('a database that is away', () => {
  test('fails no request: each gateway counts for itself, says so, and is asked again later', async () => {
    const clock = fixedClock('2026-05-01T12:00:00Z');
    const refusing = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const away = new URL(database.url);
    away.port = String((refusing.address() as { port: number }).port);
    const replica = replicas[0] as TestUpstream;
    await using lonely = await gatewayBefore(replica, { LIMITS_DATABASE_URL: away.href }, { contracts: slow, now: clock.now });
    const join = () => call(lonely.url + named('joinQueue').path, post);
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) statuses.push((await join()).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    const { status, json } = await call(`${lonely.url}/readyz`);
    expect(status).toBe(200);
    expect(json.checks.limits).not.toBe('ok');
    await new Promise((resolve) => refusing.close(resolve));
  });

  test('costs a wait once, and is believed again when it is back', async () => {
    const clock = fixedClock('2026-05-01T12:00:00Z');
    const replica = replicas[0] as TestUpstream;
    await using gateway = await gatewayBefore(replica, { LIMITS_DATABASE_URL: database.url }, { contracts: slow, now: clock.now });
    const join = () => call(gateway.url + named('joinQueue').path, post);
    const limits = async () => (await call(`${gateway.url}/readyz`)).json.checks.limits;
    {
      await using _shut = await shutTable();
      expect((await join()).status).toBe(200);
      expect(await limits()).not.toBe('ok');
    }
    // Left alone for a second of the clock, which stands still.
    for (let index = 0; index < 5; index += 1) expect((await join()).status).toBe(200);
    expect(await limits()).not.toBe('ok');
    clock.advance({ seconds: 2 });
    const { headers } = await join();
    expect(await limits()).toBe('ok');
    // What was served meanwhile stands in no shared bucket, but for a statement that may still have been under way.
    expect([28, 29]).toContain(parsed(headers.ratelimit).address?.r);
  });
});
