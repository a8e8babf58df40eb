import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { demoTokens } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newShopper } from '../testing/order-scenario.ts';
import { emptyQueue } from '../testing/queue-scenario.ts';
import { programEnvironment } from '../testing/run-corner.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const run = promisify(execFile);
const folder = `${checkout}/services/gateway/pages/guide`;
const pages = readdirSync(folder).toSorted();
let environment: TestEnvironment;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  environment = await sharedEnvironment();
  const { gatewayUrl, paymentsUrl, tokens } = environment.system;
  const { customer } = await newShopper(environment.system);
  settings = { CORNER: gatewayUrl, PAYMENTS: paymentsUrl ?? '', ANA: customer, BO: (await demoTokens(tokens)).bo };
});
afterAll(async () => await emptyQueue(environment));

const blocksOf = (page: string, language: 'ts' | 'text'): string =>
  [...readFileSync(`${folder}/${page}`, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    .map(([, block]) => block)
    .join('');

test('there are twelve pages, each with a program', () => {
  expect(pages).toHaveLength(12);
  for (const page of pages) expect([page, blocksOf(page, 'ts')]).toEqual([page, expect.stringContaining('process.env.CORNER')]);
});

test.each(pages)('the program of %s prints what the page says', async (page) => {
  const program = blocksOf(page, 'ts');
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: `${checkout}/packages/e2e`,
    env: { ...programEnvironment, ...settings },
  });
  expect(stdout).toBe(blocksOf(page, 'text'));
});
