import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { operations } from '@corner/contracts';
import { codeSamples } from '@corner/contracts/specs/code-samples.ts';
import { otherNode } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { publint } from 'publint';
import { type GatewayProcess, startGatewayProcess } from './testing/gateway-process.ts';
import { type InstalledClient, installClient, run } from './testing/installed-client.ts';
import { json, respondWithError, startTestService, type TestService } from './testing/test-service.ts';

const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
const strict = { target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };

const program = `
import { createClient, isErrorOf, orderHistory } from '@corner/client';
declare const process: { argv: string[] };

const retries: string[] = [];
const corner = createClient({
  baseUrl: process.argv[2] ?? '',
  token: async () => 'a.b.c',
  fetch: (request) => fetch(request),
  onRetry: ({ operation, attempt, error }) => retries.push(\`\${operation} \${attempt} \${error.code}\`),
});
const store_id = '0190a000-0000-7000-8000-000000000001';
const { data } = await corner.POST('/api/v1/queue/leave', { body: { entry_id: store_id } });
const noop: boolean = data.noop;
const numbers: string[] = [];
for await (const order of orderHistory(corner, { store_id, signal: new AbortController().signal })) numbers.push(order.order_number ?? '');
let refusal = '';
try {
  await corner.POST('/api/v1/orders', { body: { store_code: 'S1', store_id, items: [], order_type: 'collect' } });
} catch (error) {
  if (!isErrorOf(error, 'createOrder')) throw error;
  // @ts-expect-error: placing an order never fails with this code
  if (error.code === 'QUEUE_ENTRY_NOT_FOUND') refusal = 'never';
  if (error.code === 'SLOT_JUST_FILLED') refusal = error.operation;
}
console.log(JSON.stringify({ noop, numbers, refusal, retries }));
`;

const guide = fileURLToPath(new URL('../../../services/gateway/pages/guide/', import.meta.url));

/** Programs that readers copy from the reference: that of each page of the guide, and each sample in TypeScript. By file name. */
function copiedPrograms(): Readonly<Record<string, string>> {
  const pages = readdirSync(guide).map((page) => {
    const blocks = readFileSync(guide + page, 'utf8').matchAll(/```ts\n(.*?)```/gs);
    return [`${page}.ts`, [...blocks].map(([, block]) => block).join('')] as const;
  });
  const samples = operations.flatMap((contract) =>
    codeSamples(contract)
      .filter(({ lang }) => lang === 'TypeScript')
      .map(({ source }, index) => [`${contract.name}${index}.ts`, source] as const),
  );
  return Object.fromEntries([...pages, ...samples]);
}

let installed: InstalledClient;
let service: TestService;
let gateway: GatewayProcess;

beforeAll(async () => {
  service = await startTestService((response, nth, { url }) => {
    if (url === '/api/v1/orders') return respondWithError(response, 409, 'SLOT_JUST_FILLED');
    if (url.startsWith('/api/v1/orders')) return json(response, 200, { orders: [{ order_number: 'S1-1001' }] });
    if (nth === 1) return respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE');
    return json(response, 200, { noop: false });
  });
  gateway = await startGatewayProcess(service.url);
  installed = await installClient();
  const programs = { 'app.ts': program, ...copiedPrograms() };
  for (const [file, text] of Object.entries(programs)) installed.write(file, text);
  installed.write('process.d.ts', 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };');
  const files = ['process.d.ts', ...Object.keys(programs)];
  installed.write('nodenext.json', JSON.stringify({ compilerOptions: { ...strict, module: 'nodenext', outDir: 'out' }, files }));
  const bundler = { ...strict, module: 'esnext', moduleResolution: 'bundler', moduleDetection: 'force', noEmit: true };
  installed.write('bundler.json', JSON.stringify({ compilerOptions: bundler, files }));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  installed[Symbol.dispose]();
});

const compile = async (project: string): Promise<string> =>
  await run(process.execPath, [tsc, '-p', project], { cwd: installed.folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );

describe('the installed tarball', () => {
  test('holds JavaScript, its types and the README, needs nothing else, and has no source', async () => {
    const { stdout } = await run('tar', ['tzf', installed.tarball]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining(['package/package.json', 'package/README.md', 'package/lib/index.js', 'package/lib/index.d.ts']),
    );
    expect(files.filter((file) => !/package\.json$|README\.md$|\.js$|\.d\.ts$/.test(file))).toEqual([]);
    const manifest = JSON.parse(readFileSync(`${installed.folder}/node_modules/@corner/client/package.json`, 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
  });

  test('is clean for publint and for are-the-types-wrong', async () => {
    const bytes = readFileSync(installed.tarball);
    const tarball = new Uint8Array(bytes).buffer;
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([]);
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    const problems = 'problems' in checked ? checked.problems : ['it has no types'];
    // It is an ES module only: CommonJS loads it with require() from Node 20.19 on, and needs a dynamic import before.
    expect(problems.filter((problem) => typeof problem === 'string' || problem.kind !== 'CJSResolvesToESM')).toEqual([]);
  });

  test.each(['nodenext', 'bundler'])(
    'type-checks a program, those of the guide and the samples under --strict with module resolution %s',
    async (resolution) => {
      expect(await compile(`${resolution}.json`)).toBe('');
    },
  );

  test.each([
    ['the project’s Node', { path: process.execPath, version: process.version }],
    ['another Node', otherNode()],
  ])('calls the gateway on %s', async (_, node) => {
    if (!node) {
      process.stderr.write('No other Node of version 20 or later is on the PATH: the client was tried on this one only.\n');
      return;
    }
    await compile('nodenext.json');
    service.received.length = 0;
    const { stdout } = await run(node.path, ['out/app.js', gateway.url], { cwd: installed.folder });
    expect(JSON.parse(stdout)).toEqual({
      noop: false,
      numbers: ['S1-1001'],
      refusal: 'createOrder',
      retries: ['leaveQueue 1 UPSTREAM_UNAVAILABLE'],
    });
    const [first, second, , order] = service.received;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    const { idempotency_key } = JSON.parse(order?.body ?? '{}') as { idempotency_key: string };
    expect(idempotency_key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(order?.headers['idempotency-key']).toBe(idempotency_key);
  });

  test('fits into a browser bundle no larger than its README says', async () => {
    const bundle = await build({
      stdin: { contents: "export * from '@corner/client';", resolveDir: installed.folder },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: ['chrome100', 'firefox100', 'safari15.4'],
      write: false,
    });
    const code = bundle.outputFiles[0]?.contents ?? new Uint8Array();
    const readme = readFileSync(`${installed.folder}/node_modules/@corner/client/README.md`, 'utf8');
    const [, minified, compressed] = /(\d+) bytes minified and (\d+) bytes compressed/.exec(readme) ?? [];
    expect(code.length).toBeLessThanOrEqual(Number(minified));
    expect(gzipSync(code).length).toBeLessThanOrEqual(Number(compressed));
  });
});
