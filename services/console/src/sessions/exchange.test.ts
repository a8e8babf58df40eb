import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

interface Asked {
  readonly path: string;
  readonly key: unknown;
  readonly body: Record<string, string>;
}

let aheadMs = 0;
let tested: TestConsole;
let place: { stores: string[]; dismissed: boolean };
let next: ('lost' | 'refused' | 'running')[];
let asked: Asked[] = [];

const gateway = createServer(async (request, response) => {
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'GET') {
    send(200, { stores: place.stores.map((id) => ({ id, code: 'S9', name: 'New Corner', role: 'owner' })) });
    return;
  }
  const body = (await json(request)) as Record<string, string>;
  asked.push({ path: `${request.method} ${request.url}`, key: request.headers['idempotency-key'], body });
  const how = next.shift();
  if (how === 'lost') request.socket.destroy();
  else if (how === 'running') send(409, { error: { code: 'IDEMPOTENCY_IN_PROGRESS', message: 'It runs.', requestId: 'r' } });
  else if (how === 'refused' || place.dismissed)
    send(401, { error: { code: 'UNAUTHENTICATED', message: 'The ID token was used before.', requestId: 'r' } });
  else if (request.url?.endsWith('/revoke')) send(200, {});
  else {
    idToken = body.subject_token ?? idToken;
    const { sub = '', name } = decodeJwt<{ name: string }>(idToken);
    const access_token = await tested.issuer.token({ typ: 'merchant', sub, name, stores: place.stores });
    given.push(randomUUID());
    send(200, { access_token, refresh_token: given.at(-1), subject: { id: sub, typ: 'merchant', name } });
  }
});
let idToken = '';
let given: string[] = [];

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) => gateway.once('listening', () => resolve(gateway.address() as AddressInfo)));
  tested = await startTestConsole({
    env: { CONSOLE_TOKENS: 'exchange', SHOP_URL: 'https://shop.example/', GATEWAY_URL: `http://127.0.0.1:${port}` },
    now: () => new Date(Date.now() + aheadMs),
  });
});
beforeEach(() => {
  [aheadMs, place, next, asked, given] = [0, { stores: [], dismissed: false }, [], [], []];
});
afterAll(async () => {
  await tested[Symbol.asyncDispose]();
  gateway.close();
  gateway.closeAllConnections();
});

const meOf = async (browser: ReturnType<TestConsole['open']>) => (await browser.get('/api/me')).json() as Promise<Record<string, unknown>>;

test('a sign-in exchanges the ID token of the provider, and a person without a store may open one', async () => {
  const browser = tested.open();
  await browser.signIn('bo');
  expect(asked).toEqual([
    {
      path: 'POST /api/v1/directory/token',
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        typ: 'team',
      },
    },
  ]);
  expect(decodeJwt(idToken)).toMatchObject({ aud: 'corner-console', iss: tested.issuer.url });
  expect(await meOf(browser)).toMatchObject({
    kind: 'merchant',
    name: 'Bo',
    stores: [],
    opens_shops: true,
    directory: true,
    shop_url: 'https://shop.example',
  });
});

test('an exchange whose reply is lost is sent again under the same key, and one that is refused ends on a page that says so', async () => {
  next = ['lost'];
  await tested.open().signIn('bo');
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);

  next = ['refused'];
  const browser = tested.open();
  const failed = await browser.signIn('bo');
  expect([failed.status, await failed.text()]).toEqual([401, expect.stringContaining('The ID token was used before.')]);
  expect(browser.cookies.has('__Host-corner')).toBe(false);

  next = ['lost', 'lost'];
  expect((await tested.open().signIn('bo')).status).toBe(503);
});

test('a renewal brings a store that was opened meanwhile, with its name, also behind a refresh of a moment ago', async () => {
  const browser = tested.open();
  await browser.signIn('bo');
  const before = browser.cookies.get('__Host-corner') ?? '';
  place.stores = [stores.coffee.id];
  const renewed = await browser.post('/session/renew');
  expect([renewed.status, await renewed.json()]).toEqual([200, { expires_at: expect.any(String) }]);
  expect(await meOf(browser)).toMatchObject({ stores: [{ id: stores.coffee.id, name: 'New Corner', code: 'S9', role: 'owner' }] });

  // The response was lost: the browser still has the previous token, which has been refreshed since.
  browser.cookies.set('__Host-corner', before);
  place.stores = [stores.coffee.id, stores.cuts.id];
  await browser.post('/session/renew');
  expect((await meOf(browser)).stores).toHaveLength(2);
  expect(asked.slice(1).map(({ path, body }) => [path, body.refresh_token])).toEqual([
    ['POST /api/v1/directory/token/refresh', given[0]],
    ['POST /api/v1/directory/token/refresh', given[1]],
  ]);
});

test('only a page of the console renews, and only with a session', async () => {
  const browser = tested.open();
  await browser.signIn('bo');
  expect((await browser.post('/session/renew', undefined, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await tested.open().post('/session/renew')).status).toBe(401);
  expect(asked).toHaveLength(1);
});

test('a session goes on by the refresh tokens of the directory, and ends when it refuses one', async () => {
  const browser = tested.open();
  await browser.signIn('cy');
  aheadMs = 15 * 60_000;
  next = ['lost'];
  expect((await browser.get('/api/me')).status).toBe(200);
  expect(asked.slice(1).map(({ key, body }) => [key, body])).toEqual([
    [asked[1]?.key, { refresh_token: given[0] }],
    [asked[1]?.key, { refresh_token: given[0] }],
  ]);
  place.dismissed = true;
  aheadMs = 30 * 60_000;
  expect((await browser.get('/api/me')).status).toBe(401);
  expect((await browser.post('/session/renew')).status).toBe(401);
});

test('a session goes on after a refresh that still ran when it was sent again', async () => {
  const browser = tested.open();
  await browser.signIn('cy');
  next = ['lost', 'running'];
  expect((await browser.post('/session/renew')).status).toBe(503);
  expect((await browser.post('/session/renew')).status).toBe(200);
});

test('a person who renews without end is refused for a while, and a session that was refused is not asked for again', async () => {
  const browser = tested.open();
  await browser.signIn('olu');
  for (let round = 0; round < 60; round += 1) expect((await browser.post('/session/renew')).status).toBe(200);
  expect((await browser.post('/session/renew')).status).toBe(429);
  expect(asked).toHaveLength(61);
  expect((await browser.get('/api/me')).status).toBe(200);
  const other = tested.open();
  await other.signIn('pia');
  place.dismissed = true;
  for (const _ of [1, 2]) expect((await other.post('/session/renew')).status).toBe(401);
  expect(asked).toHaveLength(63);
});

test('signing out ends the refresh token at the directory', async () => {
  const browser = tested.open();
  await browser.signIn('cy');
  await browser.post('/sign-out');
  await until(() => asked.length === 2, { describe: 'the end of the session' });
  expect(asked[1]).toMatchObject({ path: 'POST /api/v1/directory/token/revoke', body: { refresh_token: given[0] } });
});
