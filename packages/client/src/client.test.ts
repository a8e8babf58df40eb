import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClientOptions, CornerError, createClient, isErrorOf, type Retry } from './index.ts';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.ts';
import { json, respondWithError, startTestService, type TestService } from './testing/test-service.ts';

let service: TestService;
let gateway: GatewayProcess;

beforeAll(async () => {
  service = await startTestService();
  gateway = await startGatewayProcess(service.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.received.length = 0;
  service.respond = (response) => json(response, 200, {});
  waits.length = 0;
});

const store_id = '0190a000-0000-7000-8000-000000000001';
const leave = { body: { entry_id: '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d' } };

const waits: number[] = [];
const corner = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: gateway.url, token: 'a.b.c', random: () => 0, wait: async (ms) => void waits.push(ms), ...options });
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const keys = () => service.received.map(({ headers }) => headers['idempotency-key']);

describe('a change', () => {
  test('carries an Idempotency-Key that its retries repeat and the next call does not', async () => {
    service.respond = (response, nth) =>
      nth < 3 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, { noop: false });
    expect((await corner().POST('/api/v1/queue/leave', leave)).data.noop).toBe(false);
    await corner().POST('/api/v1/queue/leave', leave);
    const [first, second, third, next] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
    expect(new Set(service.received.map(({ body }) => body)).size).toBe(1);
  });

  test('carries the Idempotency-Key of the caller, and reports a replayed response', async () => {
    service.respond = (response) => json(response, 200, {}, { 'Idempotent-Replayed': 'true' });
    const reply = await corner().POST('/api/v1/queue/leave', { ...leave, params: { header: { 'Idempotency-Key': 'mine' } } });
    expect(keys()).toEqual(['mine']);
    expect(reply).toMatchObject({ replayed: true, requestId: expect.any(String) });
  });

  test('is retried after Retry-After while an earlier request with the same key is running', async () => {
    service.respond = (response, nth) =>
      nth === 1 ? respondWithError(response, 409, 'IDEMPOTENCY_IN_PROGRESS', { 'Retry-After': '2' }) : json(response, 200, {});
    await corner({ random: () => 0.5 }).POST('/api/v1/queue/leave', leave);
    expect(waits).toEqual([2050]);
  });
});

test('an order carries one new key, in its header and in its body, on every attempt; a key of the caller stays', async () => {
  service.respond = (response, nth) => (nth === 1 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, {}));
  const body = { store_code: 'S1', store_id, items: [], order_type: 'collect' as const };
  const inBodies = () => service.received.map((request) => (JSON.parse(request.body) as { idempotency_key: string }).idempotency_key);
  await corner().POST('/api/v1/orders', { body });
  expect(inBodies()).toEqual(keys());
  expect(new Set(keys()).size).toBe(1);
  await corner().POST('/api/v1/orders', { body: { ...body, idempotency_key: 'of the caller' } });
  expect(inBodies()[2]).toBe('of the caller');
});

test('the caller is notified of every repetition, and not of the failure that ends the call', async () => {
  service.respond = (response, nth) =>
    nth < 3 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : respondWithError(response, 404, 'QUEUE_ENTRY_NOT_FOUND');
  const retries: Retry[] = [];
  const error = await failure(corner({ onRetry: (retry) => retries.push(retry) }).POST('/api/v1/queue/leave', leave));
  expect(retries).toMatchObject([
    { operation: 'leaveQueue', attempt: 1, pauseMs: 50, error: { code: 'UPSTREAM_UNAVAILABLE' } },
    { operation: 'leaveQueue', attempt: 2, pauseMs: 100, error: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
  expect(error).toMatchObject({ code: 'QUEUE_ENTRY_NOT_FOUND', operation: 'leaveQueue' });
  expect([isErrorOf(error, 'leaveQueue'), isErrorOf(error, 'joinQueue'), isErrorOf(new Error(), 'leaveQueue')]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  [408, 'REQUEST_TIMEOUT'],
  [500, 'INTERNAL'],
  [502, 'PAYMENT_PROVIDER_ERROR'],
  [503, 'UPSTREAM_UNAVAILABLE'],
])('a change is retried under its key after %d %s', async (status, code) => {
  service.respond = (response, nth) => (nth === 1 ? respondWithError(response, status, code) : json(response, 200, { noop: false }));
  expect((await corner().POST('/api/v1/queue/leave', leave)).data.noop).toBe(false);
  expect(keys()).toEqual([expect.any(String), keys()[0]]);
});

test('a read carries no Idempotency-Key', async () => {
  await corner().GET('/api/v1/orders', { params: { query: { store_id } } });
  expect(service.received).toMatchObject([{ url: `/api/v1/orders?store_id=${store_id}`, headers: { authorization: 'Bearer a.b.c' } }]);
  expect(keys()).toEqual([undefined]);
});

describe('a call is not retried after', () => {
  test.each([
    [409, 'SLOT_JUST_FILLED'],
    [404, 'ORDER_NOT_FOUND'],
    [501, 'NOT_IMPLEMENTED'],
    [400, 'VALIDATION_FAILED'],
    [401, 'UNAUTHENTICATED'],
    [502, 'REFUND_REJECTED'],
  ])('%d %s', async (status, code) => {
    service.respond = (response) => respondWithError(response, status, code);
    const error = await failure(corner().POST('/api/v1/queue/leave', leave));
    expect(error).toBeInstanceOf(CornerError);
    expect(error).toMatchObject({ code, status, requestId: 'req-1', retryAfter: undefined, message: `message of ${code}` });
    expect(service.received).toHaveLength(1);
  });
});

describe('retries end', () => {
  test('after the last attempt, with the error of its response', async () => {
    service.respond = (response) => respondWithError(response, 502, 'PAYMENT_PROVIDER_ERROR');
    const error = await failure(corner({ attempts: 4, random: () => 1 }).POST('/api/v1/queue/leave', leave));
    expect(error).toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR', status: 502 });
    expect(service.received).toHaveLength(4);
    expect(waits).toEqual([100, 200, 400]);
  });

  test('never with attempts: Infinity, and pauses grow to pauseMs only', async () => {
    service.respond = (response, nth) => (nth < 9 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, {}));
    await corner({ attempts: Number.POSITIVE_INFINITY, pauseMs: 150, random: () => 1 }).POST('/api/v1/queue/leave', leave);
    expect(waits).toEqual([100, ...Array(7).fill(150)]);
  });

  test('at once when Retry-After is longer than waitMs', async () => {
    service.respond = (response) => respondWithError(response, 429, 'RATE_LIMITED', { 'Retry-After': '31' });
    expect(await failure(corner().GET('/api/v1/notifications/preferences'))).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 31 });
    expect(service.received).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('with UNREACHABLE when every attempt takes longer than attemptMs', async () => {
    service.respond = () => {};
    const error = await failure(corner({ attempts: 2, attemptMs: 1_000 }).GET('/api/v1/notifications/preferences'));
    expect(error).toMatchObject({ code: 'UNREACHABLE', status: 0 });
    expect(service.received).toHaveLength(2);
  });

  test('with the reason of the signal when the caller aborts during an attempt or between attempts', async () => {
    const gone = new AbortController();
    service.respond = () => gone.abort(new Error('aborted during the attempt'));
    expect(await failure(corner().GET('/api/v1/notifications/preferences', { signal: gone.signal }))).toBe(gone.signal.reason);
    expect(service.received).toHaveLength(1);

    const later = new AbortController();
    service.respond = (response) => respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE', { 'Retry-After': '20' });
    const onRetry = () => setImmediate(() => later.abort(new Error('aborted between attempts')));
    const call = failure(
      createClient({ baseUrl: gateway.url, onRetry }).GET('/api/v1/notifications/preferences', { signal: later.signal }),
    );
    expect(await call).toBe(later.signal.reason);
  });
});

describe('a gateway that is killed', () => {
  test('after making a change: the client sends the change to the next gateway under the same key', async () => {
    await using dying = await startGatewayProcess(service.url);
    const restarted: GatewayProcess[] = [];
    service.respond = (response, nth) => {
      // The service makes the change, but the response is lost with the gateway.
      if (nth === 1) return dying.kill();
      return json(response, 200, { noop: true });
    };
    const patient = corner({
      baseUrl: dying.url,
      async wait(ms) {
        waits.push(ms);
        // The second attempt finds the port closed; the third finds a new process at the same address.
        if (waits.length === 2) restarted.push(await startGatewayProcess(service.url, dying.port));
      },
    });
    try {
      expect((await patient.POST('/api/v1/queue/leave', leave)).data.noop).toBe(true);
    } finally {
      for (const one of restarted) await one.kill();
    }
    expect(waits).toHaveLength(2);
    expect(keys()).toEqual([keys()[0], keys()[0]]);
  });

  test('in the middle of a response: the client retries after the incomplete response', async () => {
    service.respond = (response, nth) => {
      if (nth > 1) return json(response, 200, { preferences: [] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      return void response.write('{"preferences":', () => response.destroy());
    };
    expect((await corner().GET('/api/v1/notifications/preferences')).data).toEqual({ preferences: [] });
    expect(service.received).toHaveLength(2);
  });
});

test('a response that is not from Corner has the code UNREADABLE', async () => {
  for (const status of [418, 200]) {
    service.respond = (response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>sign in</h1>');
    expect(await failure(corner().GET('/api/v1/notifications/preferences'))).toMatchObject({
      code: 'UNREADABLE',
      status,
      requestId: expect.any(String),
    });
  }
});

test('the token function is called before every attempt, and every attempt carries the traceparent', async () => {
  let tokens = 0;
  service.respond = (response, nth) => (nth === 1 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, {}));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await corner({ token: async () => `token-${++tokens}`, traceparent: () => traceparent }).GET('/api/v1/notifications/preferences');
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  for (const { headers } of service.received) expect(headers.traceparent).toContain('0af7651916cd43dd8448eb211c80319c');
});

test('a closed port has the code UNREACHABLE, with the network error as its cause', async () => {
  const stopped = await startTestService();
  await stopped[Symbol.asyncDispose]();
  expect(await failure(corner({ baseUrl: stopped.url, attempts: 2 }).POST('/api/v1/queue/leave', leave))).toMatchObject({
    code: 'UNREACHABLE',
    status: 0,
    cause: expect.objectContaining({ name: 'TypeError' }),
  });
  expect(waits).toHaveLength(1);
  await expect(new Promise((_, reject) => connect(Number(new URL(stopped.url).port), '127.0.0.1').once('error', reject))).rejects.toThrow();
});

test('a request that does not match its operation does not compile', () => {
  const never = async (): Promise<unknown> => {
    // @ts-expect-error: the path has POST only
    await corner().GET('/api/v1/queue/leave');
    // @ts-expect-error: the body is required
    await corner().POST('/api/v1/queue/leave');
    // @ts-expect-error: a field of the wrong type
    await corner().POST('/api/v1/queue/leave', { body: { entry_id: 1 } });
    const { data } = await corner().GET('/api/v1/orders', { params: { query: { store_id } } });
    // @ts-expect-error: a field that the response does not have
    return data.nothing;
  };
  expect(never).toBeInstanceOf(Function);
});
