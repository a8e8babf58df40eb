import { rmSync, writeFileSync } from 'node:fs';
import { dataSchemaOf, events, operations, problems } from '@corner/contracts';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readGatewayConfig } from '../config.ts';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { noIssuer, startTestGateway } from '../testing/start-test-gateway.ts';
import { deadAddress } from '../testing/test-upstream.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ url: await deadAddress() });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const get = (path: string) => call(gateway.url + path);

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
  test.each(['/docs', '/docs/events', '/docs/errors'])(
    '%s loads everything from this origin, without inline scripts or styles',
    async (path) => {
      const page = await get(path);
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self'/);
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      expect(page.text).not.toMatch(/<style|style=|<script>|<script(?! src=)| on[a-z]+=/);
      const loaded = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].flatMap(([, address = '']) =>
        address.startsWith('data:') ? [] : [address],
      );
      expect(loaded.length).toBeGreaterThan(3);
      for (const address of loaded) {
        expect(address).toMatch(/^\/[^/]/);
        expect((await get(address)).status).toBe(200);
      }
    },
  );

  test('load openapi.json for the operations and send it to no validator', async () => {
    const start = await get('/docs/assets/start.js');
    expect(start.headers['content-type']).toMatch(/javascript/);
    expect(start.text).toContain('/api/v1/openapi.json');
    expect(start.text).toContain('validatorUrl: null');
  });

  test('list every problem code with its fix and the operations that return it', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, { status }] of Object.entries(problems)) expect(text).toMatch(new RegExp(`${status}</h2>[\\s\\S]*id="${code}"`));
    expect(text).toContain(problems.SLOT_JUST_FILLED.fix.replaceAll("'", '&#39;'));
    expect(text).toMatch(/id="SLOT_JUST_FILLED"[\s\S]*?Returned by<\/dt><dd>[^<]*collectEarlier/);
  });

  test('list every event with its subject and fields', async () => {
    const { text } = await get('/docs/events');
    for (const { type, version } of events) expect(text).toContain(`id="${type}.v${version}"`);
    expect(text).toContain('orders.order.paid.v1.{store}');
    expect(text).toContain('<code>order_id</code>');
  });
});

test.each(['/docs', '/api/v1/openapi.json', '/docs/assets/swagger-ui.js'])(
  '%s is gzipped for a caller that accepts that, and only then',
  async (path) => {
    const plain = await get(path);
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    // fetch() decompresses the body and keeps the headers.
    const response = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(Number(plain.headers['content-length']));
    expect(await response.text()).toBe(plain.text);
    const etag = response.headers.get('etag') ?? '';
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': etag };
    expect((await call(gateway.url + path, { headers })).status).toBe(304);
  },
);

test('no other file of the packages is served', async () => {
  for (const path of ['/docs/assets/package.json', '/docs/assets/..%2F..%2Fpackage.json', '/docs/assets/', '/events/order.paid/v99'])
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

    const page = await call(`${shown.url}/docs`);
    expect(page.text).toContain('<script src="/docs/assets/demo-tokens.js" defer>');
    expect(page.text).not.toContain(token);
    expect((await call(`${shown.url}/docs/assets/demo-tokens.js`)).status).toBe(200);
    expect((await call(`${shown.url}/api/v1/openapi.json`)).text).not.toContain('tokens.json');
  });

  test('are not served without the setting', async () => {
    expect((await get('/docs')).text).not.toContain('demo');
    for (const path of ['/docs/tokens.json', '/docs/assets/demo-tokens.js'])
      expect((await get(path)).json.error.code).toBe('ROUTE_NOT_FOUND');
  });

  test('are refused in production, so that the gateway does not start', () => {
    const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, 'http://one']));
    const settings = { ...noIssuer, ...urls, DOCS_TOKENS_FILE: '/run.json' };
    expect(readGatewayConfig(settings).DOCS_TOKENS_FILE).toBe('/run.json');
    expect(() => readGatewayConfig({ ...settings, NODE_ENV: 'production' })).toThrow(/1 fault[\s\S]*DOCS_TOKENS_FILE: is for development/);
  });
});
