import { rmSync, writeFileSync } from 'node:fs';
import { dataSchemaOf, events, operations, problems } from '@corner/contracts';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readGatewayConfig } from '../config.ts';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { noIssuer, startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startUpstream } from '../testing/test-upstream.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ url: await deadAddress() });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const get = (path: string) => call(gateway.url + path);

const linksOf = (path: string, text: string): URL[] =>
  path.startsWith('/docs') && text.startsWith('<!doctype')
    ? [...text.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, link = '']) => new URL(link, gateway.url + path))
        .filter(({ origin }) => origin === gateway.url)
    : [];

test('openapi.json describes every operation', async () => {
  const response = await get('/api/v1/openapi.json');
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const described = Object.entries<object>(response.json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described).toEqual(expect.arrayContaining(operations.map(({ method, path }) => `${method} ${path}`)));
});

test('asyncapi.json is AsyncAPI 3, and each event’s schema is at the path its envelope names', async () => {
  expect((await get('/asyncapi.json')).json.asyncapi).toMatch(/^3\./);
  for (const event of events) {
    const schema = await get(dataSchemaOf(event));
    expect(schema.status).toBe(200);
    expect(schema.json).toMatchObject({ type: 'object' });
  }
});

describe('the reference pages', () => {
  test.each(['/docs', '/docs/events', '/docs/errors', '/docs/operations/refundOrder', '/docs/guide/test-cards'])(
    '%s loads everything from this origin, without inline scripts or styles',
    async (path) => {
      const page = await get(path);
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self'/);
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      expect(page.text).not.toMatch(/<style|style=|<script>|<script(?! type="module" src=)| on[a-z]+=/);
      const loaded = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].flatMap(([, address = '']) =>
        address.startsWith('data:') ? [] : [address],
      );
      expect(loaded.length).toBeGreaterThan(40);
      for (const address of new Set(loaded)) {
        expect(address).toMatch(/^\/[^/]/);
        expect((await get(address)).status).toBe(200);
      }
    },
  );

  test('describe every operation on a page of its own, with its fields, its code and each of its problems', async () => {
    const overview = (await get('/docs')).text;
    for (const { name, problems: codes } of operations) {
      expect(overview).toContain(`href="/docs/operations/${name}"`);
      const { status, text } = await get(`/docs/operations/${name}`);
      expect(status).toBe(200);
      for (const language of ['curl', 'TypeScript', 'Python']) expect(text).toContain(`data-language="${language}"`);
      for (const code of codes) expect(text).toContain(`<summary><code>${problems[code].status} ${code}</code></summary>`);
    }
    expect((await get('/docs/operations/refundOrder')).text).toMatch(
      /<code>refund_attempt_id<\/code> <small>string \(uuid\) or null, optional<\/small>/,
    );
  });

  test('list the operations in the order in which an app calls them', async () => {
    const { text } = await get('/docs');
    const places = ['createOrder', 'confirmOrder', 'advanceFulfilment', 'refundOrder', 'grantStamp', 'redeemVoucher', 'joinQueue'].map(
      (name) => text.indexOf(`href="/docs/operations/${name}"`),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('have no link that leads nowhere, and every page can be reached from the first', async () => {
    const texts = new Map<string, string>();
    const faults: string[] = [];
    const follow = async (path: string): Promise<void> => {
      if (texts.has(path)) return;
      texts.set(path, '');
      const { status, text } = await get(path);
      if (status !== 200) faults.push(`${path}: ${status}`);
      texts.set(path, text);
      if (!path.startsWith('/docs')) return;
      for (const { pathname } of linksOf(path, text)) await follow(pathname);
    };
    await follow('/docs');
    for (const [path, text] of texts)
      for (const { pathname, hash } of linksOf(path, text))
        if (hash && !texts.get(pathname)?.includes(`id="${hash.slice(1)}"`)) faults.push(`${path}: ${pathname}${hash}`);
    expect(faults).toEqual([]);
    expect(texts.size).toBeGreaterThan(operations.length + 12);
  });

  test('can be searched: every page, error, event and described field of a response has an entry whose link leads there', async () => {
    const entries: readonly { title: string; href: string }[] = (await get('/docs/search.json')).json;
    const titles = new Set(entries.map(({ title }) => title));
    for (const code of Object.keys(problems)) expect(titles).toContain(code);
    for (const { type } of events) expect(titles).toContain(type);
    expect(titles).toContain('newEta');
    const pages = new Map(
      await Promise.all(
        [...new Set(entries.map(({ href }) => href.split('#')[0] ?? ''))].map(async (path) => [path, (await get(path)).text] as const),
      ),
    );
    for (const { href } of entries) {
      const [path = '', anchor] = href.split('#');
      expect(pages.get(path)).toContain(anchor === undefined ? '<h1>' : `id="${anchor}"`);
    }
  });

  test('list every problem code with its fix and the operations that return it', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, { status }] of Object.entries(problems)) expect(text).toMatch(new RegExp(`${status}</h2>[\\s\\S]*id="${code}"`));
    expect(text).toContain(problems.SLOT_JUST_FILLED.fix.replaceAll("'", '&#39;'));
    expect(text).toMatch(/id="SLOT_JUST_FILLED"[\s\S]*?Returned by<\/dt><dd>(?:(?!<\/dd>)[\s\S])*>collectEarlier</);
  });

  test('show code as code: no page has a backtick outside of programs', async () => {
    const { text: first } = await get('/docs');
    for (const { pathname } of linksOf('/docs', first).filter((link) => link.pathname.startsWith('/docs'))) {
      const { text } = await get(pathname);
      const outside = text.replaceAll(/<(pre|textarea)[^>]*>[\s\S]*?<\/\1>/g, '');
      expect([pathname, /.{0,40}(?:`|&#96;)/.exec(outside)?.[0]]).toEqual([pathname, undefined]);
    }
    expect((await get('/docs/operations/setBusinessStatus')).text).toContain('<code>');
  });

  test.each([
    ['/docs/errors', Object.keys(problems)],
    ['/docs/events', events.map(({ type, version }) => `${type}.v${version}`)],
  ])('%s begins with a list of what is on it', async (path, anchors) => {
    const [list = ''] = /<nav class="contents"[\s\S]*?<\/nav>/.exec((await get(path)).text) ?? [];
    expect([...list.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor).sort()).toEqual([...anchors].sort());
  });

  test('list every event with its subject and fields', async () => {
    const { text } = await get('/docs/events');
    for (const { type, version } of events) expect(text).toContain(`id="${type}.v${version}"`);
    expect(text).toContain('orders.order.paid.v1.{store}');
    expect(text).toContain('<code>order_id</code>');
  });
});

const styleOf = async () => /href="(\/docs\/assets\/pages[^"]+)"/.exec((await get('/docs')).text)?.[1] ?? '';

test.each([
  ['/docs', 'br'],
  ['/docs', 'gzip'],
  ['/api/v1/openapi.json', 'br'],
  ['/api/v1/openapi.json', 'gzip'],
  ['/docs/search.json', 'br'],
])('%s is sent by %s to a caller that accepts it, and only then; a caller that has it gets 304', async (path, encoding) => {
  const plain = await get(path);
  expect(plain.headers).toMatchObject({ vary: 'Origin, Accept-Encoding', 'cache-control': 'no-cache' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  // fetch() decompresses the body and keeps the headers.
  const response = await fetch(gateway.url + path, { headers: { 'accept-encoding': encoding } });
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(Number(response.headers.get('content-length'))).toBeLessThan(Number(plain.headers['content-length']) / 3);
  expect(await response.text()).toBe(plain.text);
  const etag = response.headers.get('etag') ?? '';
  const headers = { 'accept-encoding': encoding, 'if-none-match': etag };
  expect((await call(gateway.url + path, { headers })).status).toBe(304);
});

test('a browser that accepts gzip and Brotli gets Brotli', async () => {
  const response = await fetch(`${gateway.url}/docs`, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
  expect(response.headers.get('content-encoding')).toBe('br');
});

test('a browser may keep the files of the pages for a year, because their addresses hold their hashes', async () => {
  const path = await styleOf();
  expect(path).toMatch(/^\/docs\/assets\/pages\.[0-9a-f]{16}\.css$/);
  expect((await get(path)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get(path.replace(/[0-9a-f]{16}/, '0123456789abcdef'))).status).toBe(404);
});

test('what a reader loads for a page is below 20 kB compressed', async () => {
  const { text } = await get('/docs/operations/createOrder');
  const assets = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => String(path));
  expect(assets).toHaveLength(3);
  const sizes = await Promise.all(
    ['/docs/operations/createOrder', ...assets].map(async (path) => {
      const response = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'br' } });
      return Number(response.headers.get('content-length'));
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(20_000);
});

test('no other file of the packages is served', async () => {
  for (const path of [
    '/docs/assets/package.json',
    '/docs/assets/..%2F..%2Fpackage.json',
    '/docs/assets/',
    '/docs/operations/nothing',
    '/docs/operations/',
    '/events/order.paid/v99',
  ])
    expect((await get(path)).json.error.code).toBe('ROUTE_NOT_FOUND');
});

describe('demo tokens for /docs', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJ0eXAiOiJjdXN0b21lciJ9.c2ln';

  test('are served in development from the current file, to this origin only, and are not cached', async () => {
    await using folder = await testFolder();
    const file = `${folder.path}/run.json`;
    await using shown = await startTestGateway({ url: await deadAddress() }, { DOCS_TOKENS_FILE: file, CORS_ORIGINS: '*' });
    const tokens = () => call(`${shown.url}/docs/tokens.json`, { headers: { origin: 'https://elsewhere.example' } });
    expect((await tokens()).json).toEqual({});
    writeFileSync(file, JSON.stringify({ gateway: shown.url, tokens: { ana: token } }));
    const response = await tokens();
    expect(response).toMatchObject({ status: 200, json: { ana: token }, headers: { 'cache-control': 'no-store' } });
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    rmSync(file);
    expect((await tokens()).json).toEqual({});

    const root = await fetch(shown.url, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);

    const page = await call(`${shown.url}/docs/operations/createOrder`);
    expect(page.text).toContain('data-tokens="/docs/tokens.json"');
    expect(page.text).not.toContain(token);
    expect((await call(`${shown.url}/api/v1/openapi.json`)).text).not.toContain('tokens.json');
  });

  test('come with a way to pay an order with a test card, at the payment simulator that the file names', async () => {
    await using folder = await testFolder();
    const paid: string[] = [];
    await using simulator = await startUpstream(async (request, response) => {
      paid.push(`${request.method} ${request.url} ${request.headers.authorization} ${await bodyOf(request)}`);
      response.end(JSON.stringify({ status: 'succeeded' }));
    });
    const file = `${folder.path}/run.json`;
    await using shown = await startTestGateway({ url: await deadAddress() }, { DOCS_TOKENS_FILE: file });
    const pay = (payment: object) => call(`${shown.url}/docs/pay`, { method: 'POST', body: JSON.stringify(payment) });
    const payment = { client_secret: 'pi_1_secret_2', payment_method: 'pm_card_visa' };
    expect((await pay(payment)).json.error.code).toBe('ROUTE_NOT_FOUND');
    writeFileSync(file, JSON.stringify({ tokens: {}, payments: simulator.url }));
    expect((await pay(payment)).json).toEqual({ outcome: 'succeeded' });
    expect((await pay({ ...payment, client_secret: '../refunds' })).json.error.code).toBe('ROUTE_NOT_FOUND');
    const body = 'client_secret=pi_1_secret_2&payment_method=pm_card_visa';
    expect(paid).toEqual([`POST /v1/payment_intents/pi_1/confirm Bearer pk_test_corner ${body}`]);
    for (const name of ['createOrder', 'confirmOrder'])
      expect((await call(`${shown.url}/docs/operations/${name}`)).text).toContain('data-pay="/docs/pay"');
    expect((await get('/docs/operations/createOrder')).text).not.toContain('data-pay');
    expect((await call(`${gateway.url}/docs/pay`, { method: 'POST', body: '{}' })).json.error.code).toBe('ROUTE_NOT_FOUND');
  });

  test('are not served without the setting, and / leads nowhere', async () => {
    expect((await get('/docs/operations/createOrder')).text).not.toContain('data-tokens');
    for (const path of ['/', '/docs/tokens.json']) expect((await get(path)).json.error.code).toBe('ROUTE_NOT_FOUND');
  });

  test('are refused in production, so that the gateway does not start', () => {
    const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, 'http://one']));
    const settings = { ...noIssuer, ...urls, DOCS_TOKENS_FILE: '/run.json' };
    expect(readGatewayConfig(settings).DOCS_TOKENS_FILE).toBe('/run.json');
    expect(() => readGatewayConfig({ ...settings, NODE_ENV: 'production' })).toThrow(/1 fault[\s\S]*DOCS_TOKENS_FILE: is for development/);
  });
});
