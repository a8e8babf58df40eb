import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClientOptions, CornerError, createClient } from './index.ts';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.ts';
import { json, refuse, startService, type TestService } from './testing/service.ts';

let service: TestService;
let gateway: GatewayProcess;

beforeAll(async () => {
  service = await startService();
  gateway = await startGatewayProcess(service.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.seen.length = 0;
  service.answer = (response) => json(response, 200, {});
  waits.length = 0;
});

const store_id = '0190a000-0000-7000-8000-000000000001';
const leave = { body: { entry_id: '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d' } };

const waits: number[] = [];
/** A client that notes how long it would wait instead of waiting. */
const corner = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: gateway.url, token: 'a.b.c', random: () => 0, wait: async (ms) => void waits.push(ms), ...options });
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const keys = () => service.seen.map(({ headers }) => headers['idempotency-key']);

describe('a change', () => {
  test('carries a key of its own: the same on its repeats, another on the next call', async () => {
    service.answer = (response, nth) => (nth < 3 ? refuse(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, { noop: false }));
    expect((await corner().POST('/api/v1/queue/leave', leave)).data.noop).toBe(false);
    await corner().POST('/api/v1/queue/leave', leave);
    const [first, second, third, next] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
    expect(new Set(service.seen.map(({ body }) => body)).size).toBe(1);
  });

  test('keeps a key the caller gave, and tells an answer given again', async () => {
    service.answer = (response) => json(response, 200, {}, { 'Idempotent-Replayed': 'true' });
    const answer = await corner().POST('/api/v1/queue/leave', { ...leave, params: { header: { 'Idempotency-Key': 'mine' } } });
    expect(keys()).toEqual(['mine']);
    expect(answer).toMatchObject({ replayed: true, requestId: expect.any(String) });
  });

  test('is repeated while its twin runs, after as long as the answer asks', async () => {
    service.answer = (response, nth) =>
      nth === 1 ? refuse(response, 409, 'IDEMPOTENCY_IN_PROGRESS', { 'Retry-After': '2' }) : json(response, 200, {});
    await corner({ random: () => 0.5 }).POST('/api/v1/queue/leave', leave);
    expect(waits).toEqual([2050]);
  });
});

test.each([
  [500, 'INTERNAL'],
  [502, 'PAYMENT_PROVIDER_ERROR'],
  [503, 'UPSTREAM_UNAVAILABLE'],
])('after %d %s a change is made again, under its key', async (status, code) => {
  service.answer = (response, nth) => (nth === 1 ? refuse(response, status, code) : json(response, 200, { noop: false }));
  expect((await corner().POST('/api/v1/queue/leave', leave)).data.noop).toBe(false);
  expect(keys()).toEqual([expect.any(String), keys()[0]]);
});

test('a read carries no key', async () => {
  await corner().GET('/api/v1/orders', { params: { query: { store_id } } });
  expect(service.seen).toMatchObject([{ url: `/api/v1/orders?store_id=${store_id}`, headers: { authorization: 'Bearer a.b.c' } }]);
  expect(keys()).toEqual([undefined]);
});

describe('what is definite is not asked again', () => {
  test.each([
    [409, 'SLOT_JUST_FILLED'],
    [404, 'ORDER_NOT_FOUND'],
    [501, 'NOT_IMPLEMENTED'],
    [400, 'VALIDATION_FAILED'],
  ])('%d %s', async (status, code) => {
    service.answer = (response) => refuse(response, status, code);
    const error = await failure(corner().POST('/api/v1/queue/leave', leave));
    expect(error).toBeInstanceOf(CornerError);
    expect(error).toMatchObject({ code, status, requestId: 'req-1', retryAfter: undefined, message: `said ${code}` });
    expect(service.seen).toHaveLength(1);
  });
});

describe('patience ends', () => {
  test('after the last attempt, with what was answered then', async () => {
    service.answer = (response) => refuse(response, 502, 'PAYMENT_PROVIDER_ERROR');
    const error = await failure(corner({ attempts: 4, random: () => 1 }).POST('/api/v1/queue/leave', leave));
    expect(error).toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR', status: 502 });
    expect(service.seen).toHaveLength(4);
    expect(waits).toEqual([100, 200, 400]);
  });

  test('never for a caller who has time, at pauses as short as wanted', async () => {
    service.answer = (response, nth) => (nth < 9 ? refuse(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, {}));
    await corner({ attempts: Number.POSITIVE_INFINITY, pauseMs: 150, random: () => 1 }).POST('/api/v1/queue/leave', leave);
    expect(waits).toEqual([100, ...Array(7).fill(150)]);
  });

  test('at once when the answer asks for more than the caller has', async () => {
    service.answer = (response) => refuse(response, 429, 'RATE_LIMITED', { 'Retry-After': '31' });
    expect(await failure(corner().GET('/api/v1/notifications/preferences'))).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 31 });
    expect(service.seen).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('with a service that keeps silent, after the time one attempt has', async () => {
    service.answer = () => {};
    const error = await failure(corner({ attempts: 2, attemptMs: 100 }).GET('/api/v1/notifications/preferences'));
    expect(error).toMatchObject({ code: 'UNREACHABLE', status: 0 });
    expect(service.seen).toHaveLength(2);
  });

  test('when the caller has no more interest: while waiting for the answer, and between attempts', async () => {
    const gone = new AbortController();
    service.answer = () => gone.abort(new Error('never mind'));
    expect(await failure(corner().GET('/api/v1/notifications/preferences', { signal: gone.signal }))).toBe(gone.signal.reason);
    expect(service.seen).toHaveLength(1);

    const later = new AbortController();
    service.answer = (response) => refuse(response, 503, 'UPSTREAM_UNAVAILABLE', { 'Retry-After': '20' });
    const call = failure(createClient({ baseUrl: gateway.url }).GET('/api/v1/notifications/preferences', { signal: later.signal }));
    setTimeout(() => later.abort(new Error('enough')), 100);
    expect(await call).toBe(later.signal.reason);
  });
});

describe('a gateway that dies', () => {
  test('between attempts: the change is sent again to the one that takes its place, under the same key', async () => {
    const dying = await startGatewayProcess(service.url);
    const reborn: GatewayProcess[] = [];
    service.answer = (response, nth) => {
      // The change was made, but its answer goes down with the gateway.
      if (nth === 1) return dying.kill();
      return json(response, 200, { noop: true });
    };
    const patient = corner({
      baseUrl: dying.url,
      async wait(ms) {
        waits.push(ms);
        // One attempt meets a port where nobody listens; the next a new process at the same address.
        if (waits.length === 2) reborn.push(await startGatewayProcess(service.url, dying.port));
      },
    });
    try {
      expect((await patient.POST('/api/v1/queue/leave', leave)).data.noop).toBe(true);
    } finally {
      for (const one of reborn) await one.kill();
    }
    expect(waits).toHaveLength(2);
    expect(keys()).toEqual([keys()[0], keys()[0]]);
  });

  test('in the middle of an answer: half an answer is none', async () => {
    service.answer = (response, nth) => {
      if (nth > 1) return json(response, 200, { preferences: [] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      return void response.write('{"preferences":', () => response.destroy());
    };
    expect((await corner().GET('/api/v1/notifications/preferences')).data).toEqual({ preferences: [] });
    expect(service.seen).toHaveLength(2);
  });
});

test('an answer that is not Corner’s is told from a refusal', async () => {
  service.answer = (response) => void response.writeHead(418, { 'content-type': 'text/html' }).end('<h1>teapot</h1>');
  expect(await failure(corner().GET('/api/v1/notifications/preferences'))).toMatchObject({
    code: 'UNREADABLE',
    status: 418,
    requestId: expect.any(String),
  });
});

test('a token is asked for before every attempt, and the trace goes along', async () => {
  let asked = 0;
  service.answer = (response, nth) => (nth === 1 ? refuse(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, {}));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await corner({ token: async () => `token-${++asked}`, traceparent: () => traceparent }).GET('/api/v1/notifications/preferences');
  expect(service.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  for (const { headers } of service.seen) expect(headers.traceparent).toContain('0af7651916cd43dd8448eb211c80319c');
});

test('a port where nobody listens is unreachable, with the fault as its cause', async () => {
  const nobody = await startService();
  await nobody[Symbol.asyncDispose]();
  expect(await failure(corner({ baseUrl: nobody.url, attempts: 2 }).POST('/api/v1/queue/leave', leave))).toMatchObject({
    code: 'UNREACHABLE',
    status: 0,
    cause: expect.objectContaining({ name: 'TypeError' }),
  });
  expect(waits).toHaveLength(1);
  await expect(new Promise((_, reject) => connect(Number(new URL(nobody.url).port), '127.0.0.1').once('error', reject))).rejects.toThrow();
});

test('what does not fit an operation does not compile', () => {
  const never = async (): Promise<unknown> => {
    // @ts-expect-error: a GET of a path that is only posted to
    await corner().GET('/api/v1/queue/leave');
    // @ts-expect-error: the body is required
    await corner().POST('/api/v1/queue/leave');
    // @ts-expect-error: a field of another type
    await corner().POST('/api/v1/queue/leave', { body: { entry_id: 1 } });
    const { data } = await corner().GET('/api/v1/orders', { params: { query: { store_id } } });
    // @ts-expect-error: a field no answer has
    return data.nothing;
  };
  expect(never).toBeInstanceOf(Function);
});
