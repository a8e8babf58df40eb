import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const document = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));
const tsc = at('../../node_modules/typescript/bin/tsc');
/** In node_modules, so that the generated code finds the libraries it imports, and git and the linter ignore it. */
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(at('node_modules/.generated-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...[program = '', ...args]: string[]): Promise<string> =>
  await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

async function compile(name: string, program: string): Promise<string> {
  writeFileSync(`${folder}/${name}.ts`, program);
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--ignoreConfig'];
  const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'];
  return await run(tsc, ...options, ...target, '--types', '', `${name}.ts`);
}

const order = `{ store_id: 's', store_code: 'S1', idempotency_key: 'k', items: [{ menu_item_id: 'flat-white', quantity: 1 }] }`;

test('openapi-typescript makes types of the document that compile strictly', async () => {
  await run(at('node_modules/openapi-typescript/bin/cli.js'), document, '--output', `${folder}/types.ts`);
  const program = `import type { operations } from './types';
export const body: operations['createOrder']['requestBody']['content']['application/json'] = ${order};
export type Reply = operations['createOrder']['responses'][200]['content']['application/json'];
export const id = (reply: Reply): string => reply.order_id;`;
  expect(await compile('with-types', program)).toBe('');
});

test('openapi-ts makes a client of the document that compiles strictly', async () => {
  await run(at('node_modules/@hey-api/openapi-ts/bin/run.js'), '--input', document, '--output', `${folder}/hey`, '--no-log-file');
  const program = `import { createOrder } from './hey';
export const place = async (): Promise<string | undefined> => (await createOrder({ body: ${order} })).data?.order_id;`;
  expect(await compile('with-hey', program)).toBe('');
});

test('oazapfts makes a client of the document that compiles strictly', async () => {
  await run(at('node_modules/oazapfts/dist/cli.js'), document, `${folder}/oazapfts.ts`);
  const program = `import { createOrder } from './oazapfts';
export const place = async (): Promise<string | undefined> => {
  const reply = await createOrder(${order});
  return reply.status === 200 ? reply.data.order_id : undefined;
};`;
  expect(await compile('with-oazapfts', program)).toBe('');
});

test('a program that does not match the document is found by the same compiler', async () => {
  const program = readFileSync(`${folder}/with-types.ts`, 'utf8').replace('quantity: 1', "quantity: 'one'");
  expect(await compile('wrong', program)).toContain("Type 'string' is not assignable to type 'number'");
});
