import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, createServer, get, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestFolder, testFolder, until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { shopOrigin, startTestStorefront, type TestStorefront } from '../testing/start-test-storefront.ts';

const menu = '/api/v1/orders/stores/0190a000-0000-7000-8000-0000000000e1/menu';
const index = '<!doctype html><title>Shop</title>';
let folder: TestFolder;
let shop: TestStorefront;
let opened: IncomingMessage[] = [];
let bodies: string[] = [];
const answer = async (request: IncomingMessage, response: ServerResponse) => {
  if (/event-stream/i.test(request.headers.accept ?? '')) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  else {
    bodies.push(await text(request));
    response.end('{}');
  }
};
const gateway = createServer(answer);

const start = (env: Readonly<Record<string, string>> = {}) =>
  startTestStorefront({
    GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    SHOP_PAGES: folder.path,
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  });

beforeAll(async () => {
  gateway.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(gateway, 'listening');
  folder = await testFolder();
  await mkdir(`${folder.path}/assets`);
  await writeFile(`${folder.path}/index.html`, index);
  await writeFile(`${folder.path}/manifest.json`, JSON.stringify({ files: [{ path: 'index.html', immutable: false }], lazy: {} }));
});
beforeEach(async () => {
  [opened, bodies] = [[], []];
  shop = await start();
});
afterEach(async () => {
  for (const response of opened) response.destroy();
  await shop[Symbol.asyncDispose]();
});
afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await folder?.[Symbol.asyncDispose]();
});

async function follow(address: string, accept = 'text/event-stream', url = shop.running.url): Promise<IncomingMessage> {
  const headers = { accept, 'x-forwarded-for': address };
  const [response] = (await once(get(`${url}${menu}`, { headers, agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {}).resume();
  opened.push(response);
  return response;
}

async function followAll(count: number, accept?: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let begun = 0; begun < count; begun += 100) {
    const some = Array.from({ length: 100 }, (_, nth) => follow(`192.0.2.${nth % 10}`, accept));
    statuses.push(...(await Promise.all(some)).map(({ statusCode }) => statusCode ?? 0));
  }
  return statuses;
}

test('a request and a page are served beside four thousand open streams, and a body beside them too', async () => {
  expect(new Set(await followAll(4_000))).toEqual(new Set([200]));
  expect((await shop.send(menu)).status).toBe(200);
  expect(await (await shop.send('/')).text()).toContain('<title>Shop</title>');
  expect((await shop.send('/api/v1/directory/guests', { method: 'POST', body: '{"a":1}' })).status).toBe(200);
  expect(bodies).toEqual(['', '{"a":1}']);
});

test('streams take no connection from requests, however their type is written', async () => {
  expect(new Set(await followAll(300, 'TEXT/Event-Stream, */*;q=0.1'))).toEqual(new Set([200]));
  expect((await shop.send(menu)).status).toBe(200);
});

test('callers who send slowly take no connection: three hundred of them are not seen behind the shop, and a request beside them is', async () => {
  const agent = new Agent();
  const headers = { origin: shopOrigin, 'content-length': 1_000 };
  const slow = Array.from({ length: 300 }, () =>
    httpRequest(`${shop.running.url}/api/v1/directory/guests`, { method: 'POST', headers, agent }).on('error', () => {}),
  );
  await Promise.all(slow.map((request) => new Promise((resolve) => request.write('slow', resolve))));
  expect((await shop.send('/api/v1/directory/guests', { method: 'POST', body: 'quick' })).status).toBe(200);
  expect(bodies).toEqual(['quick']);
  for (const request of slow) request.destroy();
  await until(() => shop.lines.filter((line) => line.includes('"POST /api/v1')).length > 300, { describe: 'the end of the slow requests' });
  expect(shop.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('a body that is too large is refused before anything is forwarded', async () => {
  const response = await shop.send('/api/v1/directory/guests', { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) });
  expect([response.status, bodies]).toEqual([413, []]);
});

test('an address has a tenth of the streams, whatever it says of itself, and a full server refuses at once', async () => {
  await using small = await start({ MAX_STREAMS: '20' });
  const { url } = small.running;
  const statusOf = async (address: string) => {
    const { statusCode, headers } = await follow(address, undefined, url);
    return [statusCode, headers['retry-after']];
  };
  expect([await statusOf('192.0.2.1'), await statusOf('::ffff:192.0.2.1')]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect(await statusOf('198.51.100.7, 192.0.2.1')).toEqual([429, '15']);
  for (let each = 2; each <= 10; each += 1) for (let nth = 0; nth < 2; nth += 1) await statusOf(`192.0.2.${each}`);
  expect(await statusOf('192.0.2.99')).toEqual([503, '15']);
  opened[0]?.destroy();
  await until(async () => (await statusOf('192.0.2.99'))[0] === 200, { describe: 'room for another stream' });
});

test('an address that no trusted balancer named does not count', async () => {
  await using direct = await start({ MAX_STREAMS: '20', TRUSTED_PROXIES: '' });
  const statuses = [];
  for (let each = 1; each <= 3; each += 1) statuses.push((await follow(`192.0.2.${each}`, undefined, direct.running.url)).statusCode);
  expect(statuses).toEqual([200, 200, 429]);
});
