import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { demoTokens } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const run = promisify(execFile);
const folder = `${checkout}/services/gateway/pages/guide`;
const pages = readdirSync(folder).toSorted();
let environment: TestEnvironment;
let tokens: Awaited<ReturnType<typeof demoTokens>>;

beforeAll(async () => {
  environment = await startTestEnvironment();
  tokens = await demoTokens(environment.system.tokens);
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

/** The code blocks of a page in a language, joined: its TypeScript is one program, its text what that program prints. */
const blocksOf = (page: string, language: 'ts' | 'text'): string =>
  [...readFileSync(`${folder}/${page}`, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    .map(([, block]) => block)
    .join('');

test('there are twelve pages, each with a program', () => {
  expect(pages).toHaveLength(12);
  for (const page of pages) expect([page, blocksOf(page, 'ts')]).toEqual([page, expect.stringContaining('process.env.CORNER')]);
});

test.each(pages)('the program of %s prints what the page says', async (page) => {
  const { gatewayUrl, paymentsUrl } = environment.system;
  const program = blocksOf(page, 'ts');
  const env = { ...process.env, CORNER: gatewayUrl, PAYMENTS: paymentsUrl ?? '', ANA: tokens.ana, BO: tokens.bo };
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: `${checkout}/packages/e2e`,
    env,
  });
  expect(stdout).toBe(blocksOf(page, 'text'));
});
