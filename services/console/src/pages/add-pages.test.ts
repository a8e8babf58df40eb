import { mkdir, writeFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const index = '<!doctype html><title>Corner</title>';
const script = 'console.log(1)';
let folder: TestFolder;
let tested: TestConsole;

beforeAll(async () => {
  folder = await testFolder();
  await mkdir(`${folder.path}/assets`);
  const files = [
    { path: 'index.html', immutable: false, text: index },
    { path: 'assets/main-ABCDEFGH.js', immutable: true, text: script },
  ];
  for (const { path, text } of files) {
    await writeFile(`${folder.path}/${path}`, text);
    await writeFile(`${folder.path}/${path}.br`, brotliCompressSync(text));
    await writeFile(`${folder.path}/${path}.gz`, gzipSync(text));
  }
  await writeFile(`${folder.path}/secret.txt`, 'not in the manifest');
  await writeFile(`${folder.path}/manifest.json`, JSON.stringify({ files }));
  tested = await startTestConsole({ env: { CONSOLE_PAGES: folder.path, TRUSTED_PROXIES: '127.0.0.1, ::1' } });
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${tested.running.url}${path}`, { headers });

test('every path of a page is index.html, asked for each time and compressed ahead', async () => {
  for (const path of ['/', '/stories/S1-1042', '/shop/orders?day=1']) {
    const response = await get(path, { 'accept-encoding': 'br' });
    expect([response.status, response.headers.get('content-encoding'), response.headers.get('cache-control')]).toEqual([
      200,
      'br',
      'no-cache',
    ]);
    expect(await response.text()).toBe(index);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(path, { 'accept-encoding': 'br', 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  }
});

test('a file whose name holds its hash may be kept for a year', async () => {
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await get('/assets/main-ABCDEFGH.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await response.text()).toBe(script);
  }
});

test.each(['/api/nothing', '/api', '/secret.txt', '/assets/old-ABCDEFGH.js', '/..%2fpackage.json', '/assets/%2e%2e/secret.txt'])(
  '%s is nothing: 404 in the envelope of the platform',
  async (path) => {
    const response = await get(path);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  },
);

test('no page can be framed, run what is not its own, or learn where it was linked from', async () => {
  for (const path of ['/', '/api/nothing', '/livez', '/sign-in/callback']) {
    const { headers } = await get(path);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
  const overTls = await get('/', { 'x-forwarded-proto': 'https' });
  expect(overTls.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
});

test('it is alive and ready, and says what it cannot reach', async () => {
  expect(await (await get('/livez')).json()).toEqual({ service: 'console', alive: true });
  expect(await (await get('/readyz')).json()).toMatchObject({ ready: true, checks: { provider: 'ok' } });
});
