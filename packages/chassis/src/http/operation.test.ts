import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { newThing, otherStoreId, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { send, type TestRequest } from '../testing/send.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let merchant: string;
let customer: string;
let hold: () => Promise<void> = async () => {};

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer(() => hold()));
  merchant = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
  customer = await platform.issuer.token({ typ: 'customer', sub: newThing(), scope: 'customer:read' });
});

afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const get = (path: string, request: TestRequest = {}) => send(orders.url + path, request);
const change = (thing: string, request: TestRequest = {}) =>
  send(`${orders.url}/api/v1/things/${thing}`, { method: 'POST', token: merchant, body: { store_id: storeId }, ...request });

describe('every operation', () => {
  test('returns what its contract describes', async () => {
    const thing = newThing();
    const response = await change(thing);
    expect(response).toMatchObject({ status: 200, json: { thing_id: thing, version: 1 } });
  });

  test('responds 400 naming every faulty field and its place in the request', async () => {
    const { status, json } = await get('/api/v1/things/nonsense', { method: 'POST', token: merchant, body: { note: 'x'.repeat(21) } });
    expect(status).toBe(400);
    expect(json.error.code).toBe('VALIDATION_FAILED');
    expect(json.error.message).toMatch(/params\.thingId: .*body\.store_id: is required.*body\.note: /);
  });

  test('sends a refusal as the error envelope with the request id that the caller sent', async () => {
    const { json, headers } = await change(newThing(), {
      body: { store_id: storeId, note: 'refuse' },
      headers: { 'x-request-id': 'trace-me.1' },
    });
    expect(json).toEqual({ error: { code: 'ORDER_NOT_FOUND', message: expect.any(String), requestId: 'trace-me.1' } });
    expect(headers.get('x-request-id')).toBe('trace-me.1');
  });

  test('says in each response that it is deprecated, in the formats of RFC 9745 and RFC 8594', async () => {
    for (const query of ['', '?fail=bug']) {
      const { headers } = await get(`/api/v1/greeting${query}`);
      expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([
        '@1768435200',
        'Mon, 01 Feb 2027 00:00:00 GMT',
        '</docs/operations/greet>; rel="deprecation"; type="text/html"',
      ]);
    }
    expect((await change(newThing())).headers.has('deprecation')).toBe(false);
  });

  test('creates a request id when the one the caller sent is not safe to log', async () => {
    const { headers } = await get('/api/v1/greeting', { headers: { 'x-request-id': 'a b\tc' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['not JSON', { raw: '{' }, 400, 'INVALID_JSON'],
    ['too large', { raw: JSON.stringify({ store_id: storeId, note: 'x'.repeat(70_000) }) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['not declared JSON', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a text with a NUL', { body: { store_id: storeId, note: 'a\0b' } }, 400, 'VALIDATION_FAILED'],
    ['a text with half an emoji', { raw: `{"store_id":"${storeId}","note":"Cut \\ud83d"}` }, 400, 'VALIDATION_FAILED'],
    ['not gzip though it says so', { raw: '{}', headers: { 'content-encoding': 'gzip' } }, 400, 'INVALID_JSON'],
    ['not brotli though it says so', { raw: '{}', headers: { 'content-encoding': 'br' } }, 400, 'INVALID_JSON'],
    ['asking for a format other than JSON', { headers: { accept: 'text/html' } }, 406, 'NOT_ACCEPTABLE'],
    ['of a method the route does not have', { method: 'PATCH' }, 405, 'METHOD_NOT_ALLOWED'],
  ])('refuses a request when it is %s', async (_, request, status, code) => {
    const response = await change(newThing(), request as TestRequest);
    expect(response).toMatchObject({ status, json: { error: { code } } });
  });

  test('names the field that holds half a character', async () => {
    const { json } = await change(newThing(), { raw: `{"store_id":"${storeId}","note":"Cut \\ud83d"}` });
    expect(json).toMatchObject({ error: { message: expect.stringContaining('body.note: holds half a character') } });
  });

  test('sends the whole response even when the caller names a cached copy', async () => {
    const { status, headers } = await get('/api/v1/greeting', { headers: { 'if-none-match': '*' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('responds 404 to an unknown route', async () => {
    expect(await get('/api/v1/nothing')).toMatchObject({ status: 404, json: { error: { code: 'ROUTE_NOT_FOUND' } } });
  });

  test('responds 501 while its contract is published and it is not built', async () => {
    expect(await get('/api/v1/promised')).toMatchObject({ status: 501, json: { error: { code: 'NOT_IMPLEMENTED' } } });
  });

  test('responds 500 to a bug, with the cause in the log alone', async () => {
    const { status, text, json } = await get('/api/v1/greeting?fail=bug');
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(platform.lines.some((line) => line.request_id === json.error.requestId && JSON.stringify(line).includes('hunter2'))).toBe(true);
  });

  test('responds 503 with Retry-After to a transient fault', async () => {
    const { status, headers } = await get('/api/v1/greeting?fail=transient');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('responds 500 rather than send a reply that its contract does not describe', async () => {
    expect(await get('/api/v1/greeting?fail=reply')).toMatchObject({ status: 500 });
  });
});

describe('authorisation', () => {
  test('refuses a request without a token with 401 and WWW-Authenticate', async () => {
    const { status, headers } = await change(newThing(), { token: '' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="corner"']);
  });

  test('refuses a token of the wrong type', async () => {
    expect(await change(newThing(), { token: customer })).toMatchObject({ status: 403, json: { error: { code: 'WRONG_TOKEN_TYPE' } } });
  });

  test('refuses a store that the token does not list', async () => {
    expect(await change(newThing(), { body: { store_id: otherStoreId } })).toMatchObject({
      status: 403,
      json: { error: { code: 'STORE_FORBIDDEN' } },
    });
  });

  test('refuses a token without the scope that the operation requires', async () => {
    const bare = await platform.issuer.token({ typ: 'customer', sub: newThing() });
    expect(await get(`/api/v1/things/${newThing()}`, { token: bare })).toMatchObject({
      status: 403,
      json: { error: { code: 'INSUFFICIENT_SCOPE' } },
    });
    expect(await get(`/api/v1/things/${newThing()}`, { token: customer })).toMatchObject({ status: 404 });
  });

  test('serves a public operation without a token, and recognises the caller when there is one', async () => {
    expect((await get('/api/v1/greeting')).json).toEqual({ caller: 'anonymous' });
    expect((await get('/api/v1/greeting', { token: customer })).json).toEqual({ caller: 'customer' });
  });

  test('refuses an invalid token even where none is required', async () => {
    expect(await get('/api/v1/greeting', { token: `${customer.slice(0, -4)}AAAA` })).toMatchObject({ status: 401 });
  });
});

describe('the claim that AUTH_SUBJECT_CLAIM names', () => {
  const stores = [{ id: storeId, role: 'owner' as const }];
  const tokenOf = (typ: 'customer' | 'merchant' | 'staff', claims: object) => platform.issuer.token({ typ, stores, ...claims });

  test('holds the caller’s id, whatever the identity provider writes into sub', async () => {
    await using service = await platform.start(producer(), {}, { AUTH_SUBJECT_CLAIM: 'https://corner.example/id' });
    const [id, thing, key] = [newThing(), newThing(), newThing()];
    const as = async (claims: object) =>
      await send(`${service.url}/api/v1/things/${thing}`, {
        method: 'POST',
        token: await tokenOf('merchant', claims),
        body: { store_id: storeId },
        headers: { 'idempotency-key': key },
      });
    expect((await as({ sub: 'auth0|66f', 'https://corner.example/id': id })).json).toMatchObject({ version: 1 });
    // An Idempotency-Key belongs to its caller: an id in other letters is the same caller, another id is another.
    const again = await as({ sub: 'google-oauth2|7', 'https://corner.example/id': id.toUpperCase() });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await as({ sub: 'auth0|66f', 'https://corner.example/id': newThing() })).json).toMatchObject({ version: 2 });
  });

  test.each(['customer', 'merchant', 'staff'] as const)('gets a %s 401 that names the claim when its value is no UUID', async (typ) => {
    const { status, headers, json } = await get('/api/v1/greeting', { token: await tokenOf(typ, { sub: 'auth0|66f' }) });
    expect([status, json.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(json.error.message).toContain('The claim sub ');
    expect(headers.get('www-authenticate')).toContain('invalid_token');
    await using service = await platform.start(producer(), {}, { AUTH_SUBJECT_CLAIM: 'uid' });
    const refused = await send(`${service.url}/api/v1/greeting`, { token: await tokenOf(typ, {}) });
    expect([refused.status, refused.json.error.message]).toEqual([401, expect.stringContaining('The claim uid ')]);
  });
});

describe('draining', () => {
  test('finishes requests in progress, reports not ready, and then refuses connections', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      hold = async () => {
        resolve();
        await held;
      };
    });
    const service = await platform.start(producer(() => hold()));
    await service.backbone;
    const inProgress = fetch(`${service.url}/api/v1/things/${newThing()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant}`, 'content-type': 'application/json' },
      body: JSON.stringify({ store_id: storeId }),
    });
    await reached;
    service.beginDraining();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    const stopped = service[Symbol.asyncDispose]();
    hold = async () => {};
    release();
    expect((await inProgress).status).toBe(200);
    await stopped;
    await expect(refused(service.url)).resolves.toBe('ECONNREFUSED');
  });
});

const refused = (url: string): Promise<string> =>
  new Promise((resolve) => {
    httpRequest(`${url}/livez`, () => resolve('connected'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      .end();
  });
