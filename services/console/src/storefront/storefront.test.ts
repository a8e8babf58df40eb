import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { operations } from '@corner/contracts';
import { type TestFolder, testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestStorefront, type TestStorefront } from '../testing/start-test-storefront.ts';

const index = '<!doctype html><title>Shop</title>';
const someId = '0190a000-0000-7000-8000-0000000000e1';
let folder: TestFolder;
let shop: TestStorefront;
let seen: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
let respond = (_request: IncomingMessage, response: ServerResponse): void => void response.end('{}');
const gateway = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  respond(request, response);
});

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  folder = await testFolder();
  const files = [
    { path: 'index.html', immutable: false, content: index },
    { path: 'sw.js', immutable: false, content: 'self.name' },
    { path: 'manifest.webmanifest', immutable: false, content: '{}' },
    { path: 'assets/main-ABCDEFGH.js', immutable: true, content: '1' },
  ];
  await mkdir(`${folder.path}/assets`);
  for (const { path, content } of files) await writeFile(`${folder.path}/${path}`, content);
  const lazy = {
    'texts/en/index.ts': ['assets/en.js'],
    'texts/fr/index.ts': ['assets/fr.js'],
    'pages/tap/index.tsx': ['assets/tap.js', 'assets/card.js'],
  };
  await writeFile(`${folder.path}/manifest.json`, JSON.stringify({ files, lazy }));
  shop = await startTestStorefront({
    GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    SHOP_PAGES: folder.path,
    SANDBOX_PAYMENTS_URL: 'http://localhost:4242',
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  });
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
  gateway.closeAllConnections();
  gateway.close();
});

const serve = (status = 200, headers: Record<string, string> = {}) => {
  seen = [];
  respond = (_request, response) => void response.writeHead(status, headers).end('{}');
};
const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

describe('pages', () => {
  test.each(['/', '/s/S1', '/t?picc_data=A&cmac=B', `/orders/${someId}`, '/card'])('%s is the one document', async (path) => {
    const response = await shop.send(path);
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([200, 'no-cache', index]);
  });

  test('a service worker and a manifest have their types and are asked for each time; what has its hash in its name is kept', async () => {
    const of = async (path: string) => {
      const { headers } = await shop.send(path);
      return [headers.get('content-type'), headers.get('cache-control')];
    };
    expect(await of('/sw.js')).toEqual(['text/javascript; charset=utf-8', 'no-cache']);
    expect(await of('/manifest.webmanifest')).toEqual([expect.stringContaining('application/manifest+json'), 'no-cache']);
    expect((await of('/assets/main-ABCDEFGH.js'))[1]).toBe('public, max-age=31536000, immutable');
  });

  test('the document of a menu says what its page needs, so that a browser asks for it at once; without the store’s id in time, the texts', async () => {
    const linksOf = async (path: string, language = 'fr-CA, en;q=0.5') =>
      (await shop.send(path, { headers: { 'accept-language': language } })).headers.get('link')?.split(', ') ?? [];
    serve();
    respond = (_request, response) => void response.end('{"stores":[]}');
    const texts = '</assets/fr.js>; rel=modulepreload';
    expect(await linksOf('/s/S7')).toEqual([texts]);
    respond = (request) => void request.socket.destroy();
    expect(await linksOf('/s/S7')).toEqual([texts]);
    respond = (_request, response) => void response.end(JSON.stringify({ stores: [{ id: someId }] }));
    const reads = [`/api/v1/orders/stores?code=S7`, `/api/v1/orders/stores/${someId}/menu`];
    const links = [texts, ...reads.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`)];
    expect(await linksOf('/s/S7?table=4')).toEqual(links);
    expect(await linksOf('/s/S7')).toEqual(links);
    expect(seen.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => '/api/v1/orders/stores?code=S7'));
    expect(await linksOf('/t', 'de')).toEqual(['en', 'tap', 'card'].map((file) => `</assets/${file}.js>; rel=modulepreload`));
    for (const path of ['/', '/orders/7', '/assets/main-ABCDEFGH.js', '/s/%22%3E']) expect(await linksOf(path)).toEqual([]);
  });

  test.each(['/s/S1.php', '/assets/old.js', '/api', '/manifest.json', '/sign-in/callback.x'])('%s is nothing: 404', async (path) => {
    expect(await codeOf(await shop.send(path))).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  test('nothing of another origin runs but what payments need, and no address of a page leaves', async () => {
    const { headers } = await shop.send('/t?picc_data=A');
    const policy = headers.get('content-security-policy')?.split('; ') ?? [];
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self' http://localhost:4242",
      "worker-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy.some((rule) => rule.startsWith('frame-src') || rule.includes('unsafe'))).toBe(false);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('payment=()');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('with a key of Stripe, its scripts, its frames and its interface are allowed, and the pages get the key', async () => {
    await using paying = await startTestStorefront({ STRIPE_PUBLISHABLE_KEY: 'pk_test_123', SHOP_PAGES: folder.path });
    const { headers } = await paying.send('/');
    const policy = headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com");
    expect(policy).toContain("connect-src 'self' https://api.stripe.com");
    expect(policy).toContain('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com');
    expect(headers.get('permissions-policy')).toContain('payment=(self "https://js.stripe.com")');
    const settings = await paying.send('/shop.json');
    expect(settings.headers.get('cache-control')).toBe('no-cache');
    expect(await settings.json()).toEqual({ payments: { kind: 'stripe', publishable_key: 'pk_test_123' }, accounts: false });
  });

  test('without a provider nothing can be paid; with the simulator its address and key for devices are known', async () => {
    expect(await (await shop.send('/shop.json')).json()).toEqual({
      payments: { kind: 'sandbox', url: 'http://localhost:4242', publishable_key: 'pk_test_corner' },
      accounts: false,
    });
    await using bare = await startTestStorefront({ SHOP_PAGES: folder.path });
    expect(await (await bare.send('/shop.json')).json()).toEqual({ payments: null, accounts: false });
  });
});

describe('operations', () => {
  test('of a customer reach the gateway with the token, the body and the key that the page sent, and never a cookie', async () => {
    serve(409, { 'set-cookie': 'a=b', 'content-type': 'application/json', etag: '"1"' });
    const response = await shop.send('/api/v1/orders?x=%20y', {
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer a.b.c', cookie: 'c=d', 'idempotency-key': 'key-1', 'content-type': 'application/json' },
    });
    expect([response.status, response.headers.get('set-cookie'), response.headers.get('etag')]).toEqual([409, null, '"1"']);
    expect(seen).toMatchObject([{ method: 'POST', url: '/api/v1/orders?x=%20y', body: '{"a":1}' }]);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer a.b.c', 'idempotency-key': 'key-1' });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
    serve();
    await shop.send('/api/v1/orders/stores');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('are forwarded if a customer may call them; those of merchants, staff and operators are 404, with any token', async () => {
    serve();
    for (const { method, path, caller, name } of operations) {
      const address = path.replaceAll(/\{\w+\}/g, someId);
      const init = { method, headers: { authorization: 'Bearer a.b.c' }, ...(method === 'GET' ? {} : { body: '{}' }) };
      const { status } = await shop.send(address, init);
      // A path with an id can be that of a customer's operation, which the gateway refuses for another method.
      if (caller.types.includes('customer')) expect([name, status]).toEqual([name, 200]);
      else if (!operations.some((other) => other !== undefined && isSame(other, method, address)))
        expect([name, status]).toEqual([name, 404]);
    }
    const passed = new Set(seen.map(({ method, url }) => `${method} ${url}`));
    expect(passed.has(`POST /api/v1/orders/${someId}/refunds`)).toBe(false);
    expect(passed.has('GET /api/v1/loyalty/customers')).toBe(false);
    for (const path of ['/api/v1', '/api/v1/orders/nothing/here', '/api/v1/operator', '/api/v1/orders\\mine', '/webhooks/stripe'])
      expect([path, (await shop.send(path, { method: 'POST', body: '{}' })).status]).toEqual([path, 404]);
  });

  const isSame = (other: (typeof operations)[number], method: string, address: string): boolean =>
    other.caller.types.includes('customer') && other.method === method && other.path.replaceAll(/\{\w+\}/g, someId) === address;

  test('pictures of menus are shown from the same origin, and none is uploaded', async () => {
    serve(200, { 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'public, max-age=31536000, immutable' });
    const picture = await shop.send('/api/v1/directory/pictures/abc');
    expect([picture.status, picture.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(await codeOf(await shop.send('/api/v1/directory/pictures?store_id=1', { method: 'POST', body: 'x' }))).toEqual([
      404,
      'ROUTE_NOT_FOUND',
    ]);
  });

  test.each([
    '/api/v1/directory/pictures/../stores',
    '/api/v1/directory/pictures/a/../../stores',
    '/api/v1/directory/pictures/..%2fstores',
    '/api/v1/directory/pictures/a/b',
  ])('%s is no picture, and reaches nothing else by that way', async (path) => {
    serve();
    // fetch would shorten the path.
    const request = get(`${shop.running.url}${path}`, { path });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, seen]).toEqual([404, []]);
  });

  test('say which address the customer has, so that limits count customers and not this server', async () => {
    serve();
    await shop.send('/api/v1/orders/stores', { headers: { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' } });
    await shop.send('/api/v1/orders/stores');
    expect(seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      '203.0.113.9',
      expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
    ]);
    await using direct = await startTestStorefront({ GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` });
    serve();
    await direct.send('/api/v1/orders/stores', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(seen[0]?.headers['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
  });

  test('that change something are refused from a page of another origin', async () => {
    serve();
    expect(
      await codeOf(
        await shop.send('/api/v1/directory/guests', { method: 'POST', body: '{}', headers: { origin: 'https://evil.example' } }),
      ),
    ).toEqual([403, 'FOREIGN_ORIGIN']);
    expect(seen).toEqual([]);
  });

  test('that are followed arrive as they happen, and end with the server', async () => {
    respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    await using stopping = await startTestStorefront({ GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` });
    const response = await stopping.send(`/api/v1/orders/${someId}/mine`, { headers: { accept: 'text/event-stream' } });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    const rest = reader?.read();
    await stopping[Symbol.asyncDispose]();
    await expect(rest).rejects.toThrow();
  });
});

test('what a caller says of the host and the way here is in no response, and does not reach the gateway', async () => {
  await using direct = await startTestStorefront({
    GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    SHOP_PAGES: folder.path,
  });
  serve();
  const evil = 'evil.example';
  const headers = {
    host: evil,
    forwarded: `host=${evil};proto=https`,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '8443',
  };
  for (const path of ['/', '/s/S1', '/t', '/shop.json', '/nothing.js', '/api/v1/orders/stores', `http://${evil}/api/v1/orders/stores`]) {
    const [response] = (await once(get(direct.running.url, { path, headers }), 'response')) as [IncomingMessage];
    expect(JSON.stringify([path, response.headers, await text(response)]).replace(path, '')).not.toContain(evil);
    expect(response.headers['strict-transport-security']).toBeUndefined();
  }
  expect(JSON.stringify(seen.map((request) => request.headers))).not.toMatch(/evil|8443/);
});

test('no log has a token, an address of a tag, a query or an id that opens something', async () => {
  await using lonely = await startTestStorefront({ SHOP_PAGES: folder.path });
  await lonely.send('/t?picc_data=SECRET1&cmac=SECRET2');
  await lonely.send('/s/SECRET3?picc_data=SECRET4');
  const headers = { authorization: 'Bearer SECRET5', 'x-staff-token': 'SECRET6', referer: 'https://shop.corner.test/t?picc_data=SECRET7' };
  const failed = await lonely.send('/api/v1/queue/status?entry_id=SECRET8', { headers });
  expect(await codeOf(failed)).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  await lonely.send('/api/v1/queue/leave', { method: 'POST', headers, body: '{"entry_id":"SECRET9"}' });
  await until(() => lonely.lines.filter((line) => line.includes('"msg":"request"')).length >= 4, { describe: 'the lines of the requests' });
  expect(lonely.lines.join('\n')).toContain('"operation":"GET /api/v1/*operation"');
  expect(lonely.lines.join('\n')).not.toMatch(/SECRET/);
});

test('it is alive and ready, and has neither a session nor a sign-in', async () => {
  expect(await (await shop.send('/livez')).json()).toEqual({ service: 'storefront', alive: true });
  expect(await (await shop.send('/readyz')).json()).toMatchObject({ ready: true });
  shop.running.beginDraining();
  expect((await shop.send('/readyz')).status).toBe(503);
});
