import { rmSync, writeFileSync } from 'node:fs';
import { dataSchemaOf, events, operations, problems } from '@corner/contracts';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readGatewayConfig } from './config.ts';
import type { RunningGateway } from './gateway.ts';
import { call } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { deadAddress } from './testing/upstream.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await gatewayBefore({ url: await deadAddress() });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const get = (path: string) => call(gateway.url + path);

test('the description for programs names every operation', async () => {
  const answer = await get('/api/v1/openapi.json');
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const described = Object.entries<object>(answer.json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described).toEqual(expect.arrayContaining(operations.map(({ method, path }) => `${method} ${path}`)));
});

test('the description of the events is AsyncAPI 3, and each schema is where envelopes say it is', async () => {
  expect((await get('/asyncapi.json')).json.asyncapi).toMatch(/^3\./);
  for (const event of events) {
    const schema = await get(dataSchemaOf(event));
    expect(schema.status).toBe(200);
    expect(schema.json).toMatchObject({ type: 'object' });
  }
});

describe('a page', () => {
  test.each(['/docs', '/docs/events', '/docs/errors'])('%s and all it loads come from here', async (path) => {
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
  });

  test('of the operations loads the description and asks nobody about it', async () => {
    const start = await get('/docs/assets/start.js');
    expect(start.headers['content-type']).toMatch(/javascript/);
    expect(start.text).toContain('/api/v1/openapi.json');
    expect(start.text).toContain('validatorUrl: null');
  });

  test('of the errors has every code, what to do about it, and who answers it', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, { status }] of Object.entries(problems)) expect(text).toMatch(new RegExp(`${status}</h2>[\\s\\S]*id="${code}"`));
    expect(text).toContain(problems.SLOT_JUST_FILLED.fix.replaceAll("'", '&#39;'));
    expect(text).toMatch(/id="SLOT_JUST_FILLED"[\s\S]*?Answered by<\/dt><dd>[^<]*collectEarlier/);
  });

  test('of the events has every event with its subject and fields', async () => {
    const { text } = await get('/docs/events');
    for (const { type, version } of events) expect(text).toContain(`id="${type}.v${version}"`);
    expect(text).toContain('orders.order.paid.v1.{store}');
    expect(text).toContain('<code>order_id</code>');
  });
});

test('nothing else is served: no other file of the packages', async () => {
  for (const path of ['/docs/assets/package.json', '/docs/assets/..%2F..%2Fpackage.json', '/docs/assets/', '/events/order.paid/v99'])
    expect((await get(path)).json.error.code).toBe('ROUTE_NOT_FOUND');
});

describe('tokens to try with', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJ0eXAiOiJjdXN0b21lciJ9.c2ln';

  test('are shown in development, as the file has them now, to pages of our own, and kept nowhere', async () => {
    await using folder = await testFolder();
    const file = `${folder.path}/run.json`;
    await using shown = await gatewayBefore({ url: await deadAddress() }, { DOCS_TOKENS_FILE: file, CORS_ORIGINS: '*' });
    const tokens = () => call(`${shown.url}/docs/tokens.json`, { headers: { origin: 'https://elsewhere.example' } });
    expect((await tokens()).json).toEqual({});
    writeFileSync(file, JSON.stringify({ gateway: shown.url, tokens: { ana: token } }));
    const answer = await tokens();
    expect(answer).toMatchObject({ status: 200, json: { ana: token }, headers: { 'cache-control': 'no-store' } });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    rmSync(file);
    expect((await tokens()).json).toEqual({});

    const page = await call(`${shown.url}/docs`);
    expect(page.text).toContain('<script src="/docs/assets/demo-tokens.js" defer>');
    expect(page.text).not.toContain(token);
    expect((await call(`${shown.url}/docs/assets/demo-tokens.js`)).status).toBe(200);
    expect((await call(`${shown.url}/api/v1/openapi.json`)).text).not.toContain('tokens.json');
  });

  test('are nowhere without the setting', async () => {
    expect((await get('/docs')).text).not.toContain('demo');
    for (const path of ['/docs/tokens.json', '/docs/assets/demo-tokens.js'])
      expect((await get(path)).json.error.code).toBe('ROUTE_NOT_FOUND');
  });

  test('are refused in production before anything is served', () => {
    const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, 'http://one']));
    const settings = { ...urls, DOCS_TOKENS_FILE: '/run.json' };
    expect(readGatewayConfig(settings).DOCS_TOKENS_FILE).toBe('/run.json');
    expect(() => readGatewayConfig({ ...settings, NODE_ENV: 'production' })).toThrow(/1 fault[\s\S]*DOCS_TOKENS_FILE: is for development/);
  });
});
