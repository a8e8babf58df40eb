import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningService } from '../service.ts';
import { newThing, otherStoreId, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let merchant: string;
let customer: string;
/** What changeThing waits for after its commit; a test sets it to hold a twin there. */
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

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

async function send(path: string, { method = 'GET', token, body, raw, headers = {} }: Sent = {}) {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(orders.url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: JSON.parse(text) as Record<string, never> & { error: { code: string; message: string; requestId: string } },
    headers: response.headers,
  };
}

const change = (thing: string, sent: Sent = {}) =>
  send(`/api/v1/things/${thing}`, { method: 'POST', token: merchant, body: { store_id: storeId }, ...sent });

describe('every operation', () => {
  test('answers what its contract says', async () => {
    const thing = newThing();
    const answer = await change(thing);
    expect(answer).toMatchObject({ status: 200, json: { thing_id: thing, version: 1 } });
  });

  test('names each faulty field, and where it stands', async () => {
    const { status, json } = await send('/api/v1/things/nonsense', { method: 'POST', token: merchant, body: { note: 'x'.repeat(21) } });
    expect(status).toBe(400);
    expect(json.error.code).toBe('VALIDATION_FAILED');
    expect(json.error.message).toMatch(/params\.thingId: .*body\.store_id: is required.*body\.note: /);
  });

  test('answers a refusal in the envelope alone, under the id the caller gave', async () => {
    const { json, headers } = await change(newThing(), {
      body: { store_id: storeId, note: 'refuse' },
      headers: { 'x-request-id': 'trace-me.1' },
    });
    expect(json).toEqual({ error: { code: 'ORDER_NOT_FOUND', message: expect.any(String), requestId: 'trace-me.1' } });
    expect(headers.get('x-request-id')).toBe('trace-me.1');
  });

  test('makes an id of its own when the caller’s is none a log can carry', async () => {
    const { headers } = await send('/api/v1/greeting', { headers: { 'x-request-id': 'a b\tc' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['not JSON', { raw: '{' }, 400, 'INVALID_JSON'],
    ['too large', { raw: JSON.stringify({ store_id: storeId, note: 'x'.repeat(70_000) }) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['not declared JSON', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a text with a NUL', { body: { store_id: storeId, note: 'a\0b' } }, 400, 'VALIDATION_FAILED'],
    ['not gzip though it says so', { raw: '{}', headers: { 'content-encoding': 'gzip' } }, 400, 'INVALID_JSON'],
    ['not brotli though it says so', { raw: '{}', headers: { 'content-encoding': 'br' } }, 400, 'INVALID_JSON'],
    ['wants no JSON', { headers: { accept: 'text/html' } }, 406, 'NOT_ACCEPTABLE'],
    ['another method', { method: 'PATCH' }, 405, 'METHOD_NOT_ALLOWED'],
  ])('refuses a request that is %s', async (_, sent, status, code) => {
    const answer = await change(newThing(), sent as Sent);
    expect(answer).toMatchObject({ status, json: { error: { code } } });
  });

  test('is answered in full whatever copy the caller names', async () => {
    const { status, headers } = await send('/api/v1/greeting', { headers: { 'if-none-match': '*' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('has no answer for an unknown route but 404', async () => {
    expect(await send('/api/v1/nothing')).toMatchObject({ status: 404, json: { error: { code: 'ROUTE_NOT_FOUND' } } });
  });

  test('answers 501 while it is promised and not built', async () => {
    expect(await send('/api/v1/promised')).toMatchObject({ status: 501, json: { error: { code: 'NOT_IMPLEMENTED' } } });
  });

  test('explains a bug to the log alone', async () => {
    const { status, text, json } = await send('/api/v1/greeting?fail=bug');
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(platform.lines.some((line) => line.request_id === json.error.requestId && JSON.stringify(line).includes('hunter2'))).toBe(true);
  });

  test('answers 503 with Retry-After when the world is in trouble', async () => {
    const { status, headers } = await send('/api/v1/greeting?fail=transient');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('lets nothing out that its contract does not describe', async () => {
    expect(await send('/api/v1/greeting?fail=reply')).toMatchObject({ status: 500 });
  });
});

describe('callers', () => {
  test('need a token, and are told how', async () => {
    const { status, headers } = await change(newThing(), { token: '' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="corner"']);
  });

  test('need one of the right kind', async () => {
    expect(await change(newThing(), { token: customer })).toMatchObject({ status: 403, json: { error: { code: 'WRONG_TOKEN_TYPE' } } });
  });

  test('need the store they name', async () => {
    expect(await change(newThing(), { body: { store_id: otherStoreId } })).toMatchObject({
      status: 403,
      json: { error: { code: 'STORE_FORBIDDEN' } },
    });
  });

  test('need the scope an operation names', async () => {
    const bare = await platform.issuer.token({ typ: 'customer', sub: newThing() });
    expect(await send(`/api/v1/things/${newThing()}`, { token: bare })).toMatchObject({
      status: 403,
      json: { error: { code: 'INSUFFICIENT_SCOPE' } },
    });
    expect(await send(`/api/v1/things/${newThing()}`, { token: customer })).toMatchObject({ status: 404 });
  });

  test('may be nobody where the operation is public, and are recognised when they are somebody', async () => {
    expect((await send('/api/v1/greeting')).json).toEqual({ caller: 'anonymous' });
    expect((await send('/api/v1/greeting', { token: customer })).json).toEqual({ caller: 'customer' });
  });

  test('with a bad token are refused even where none is needed', async () => {
    expect(await send('/api/v1/greeting', { token: `${customer.slice(0, -4)}AAAA` })).toMatchObject({ status: 401 });
  });
});

describe('an Idempotency-Key', () => {
  test('gives the first answer again, byte for byte, and changes nothing', async () => {
    const [thing, key] = [newThing(), newThing()];
    const first = await change(thing, { headers: { 'idempotency-key': key } });
    const again = await change(thing, { headers: { 'idempotency-key': `"${key}"` } });
    expect(again.text).toBe(first.text);
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    expect((await change(thing)).json).toMatchObject({ version: 2 });
  });

  test('gives a refusal of the work again', async () => {
    const sent = { body: { store_id: storeId, note: 'refuse' }, headers: { 'idempotency-key': newThing() } };
    const thing = newThing();
    await change(thing, sent);
    expect(await change(thing, sent)).toMatchObject({ status: 404, json: { error: { code: 'ORDER_NOT_FOUND' } } });
  });

  test('with another request is refused', async () => {
    const [thing, key] = [newThing(), newThing()];
    await change(thing, { headers: { 'idempotency-key': key } });
    expect(await change(thing, { body: { store_id: storeId, note: 'other' }, headers: { 'idempotency-key': key } })).toMatchObject({
      status: 422,
      json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
  });

  test('of a twin that is still running is answered 409 and Retry-After', async () => {
    const [thing, key] = [newThing(), newThing()];
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
    const first = change(thing, { headers: { 'idempotency-key': key } });
    await reached;
    const twin = await change(thing, { headers: { 'idempotency-key': key } });
    hold = async () => {};
    release();
    expect(twin).toMatchObject({ status: 409, json: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } });
    expect(twin.headers.get('retry-after')).toBe('1');
    expect(await first).toMatchObject({ status: 200, json: { version: 1 } });
  });

  test('belongs to its caller: another’s same key is another request', async () => {
    const [thing, key] = [newThing(), newThing()];
    const other = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
    await change(thing, { headers: { 'idempotency-key': key } });
    expect((await change(thing, { token: other, headers: { 'idempotency-key': key } })).json).toMatchObject({ version: 2 });
  });

  test('has one effect under 50 parallel repeats', async () => {
    const [thing, key] = [newThing(), newThing()];
    const responses = await Promise.all(Array.from({ length: 50 }, () => change(thing, { headers: { 'idempotency-key': key } })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(
      new Set(responses.some(({ status }) => status === 409) ? [200, 409] : [200]),
    );
    expect(new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect((await change(thing)).json).toMatchObject({ version: 2 });
  });

  test('that is not visible ASCII is refused', async () => {
    expect(await change(newThing(), { headers: { 'idempotency-key': 'a b' } })).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  });
});

describe('draining', () => {
  test('finishes what is under way, says not ready, and then refuses connections', async () => {
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
    const under = fetch(`${service.url}/api/v1/things/${newThing()}`, {
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
    expect((await under).status).toBe(200);
    await stopped;
    await expect(refused(service.url)).resolves.toBe('ECONNREFUSED');
  });
});

const refused = (url: string): Promise<string> =>
  new Promise((resolve) => {
    httpRequest(`${url}/livez`, () => resolve('answered'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      .end();
  });
