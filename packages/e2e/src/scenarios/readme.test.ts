import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { checkout, demoTokens } from '@corner/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const run = promisify(execFile);
let environment: TestEnvironment;

beforeAll(async () => {
  environment = await startTestEnvironment();
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

/** The first code block in a language on a page of the documentation, or the first one under a heading. */
function codeBlockIn(page: string, language: 'sh' | 'ts', heading?: string): string {
  const text = readFileSync(`${checkout}/${page}`, 'utf8');
  const section = heading === undefined ? text : (text.split(`## ${heading}\n`)[1] ?? '');
  return (section.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '').replaceAll(
    'http://localhost:4000',
    environment.system.gatewayUrl,
  );
}

// Not every machine that runs the tests has curl.
const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

withCurl('the commands of the README place one order, also when they run twice', async () => {
  const commands = codeBlockIn('README.md', 'sh', 'Place an order').replace(
    'npx corner token',
    `"${process.execPath}" "${checkout}/packages/cli/src/main.ts" token --data "${environment.folder}"`,
  );
  expect(commands).toContain('curl');
  const responses = [];
  for (const _ of [1, 2]) responses.push(JSON.parse((await run('bash', ['-c', commands])).stdout) as Record<string, unknown>);
  expect(responses[0]).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 680 });
  expect(responses[1]).toEqual(responses[0]);
});

describe('the TypeScript examples of the documentation', () => {
  /** Runs a program in a folder where the client is a dependency, with TOKEN set. Returns its standard output. */
  async function outputOf(program: string, token: string): Promise<string> {
    expect(program).toContain(environment.system.gatewayUrl);
    const options = { cwd: `${checkout}/packages/e2e`, env: { ...process.env, TOKEN: token } };
    return (await run(process.execPath, ['--input-type=module-typescript', '--eval', program], options)).stdout;
  }

  test('the example of the README runs unchanged', async () => {
    const { ana } = await demoTokens(environment.system.tokens);
    expect(await outputOf(codeBlockIn('README.md', 'ts', 'From TypeScript'), ana)).toMatch(/^about \d+ minutes\n$/);
  });

  test('the example of the client’s README runs unchanged', async () => {
    const { bo } = await demoTokens(environment.system.tokens);
    const shopper = await newShopper(environment.system);
    await runOrderScenario(environment, shopper);
    expect(await outputOf(codeBlockIn('packages/client/README.md', 'ts'), bo)).toMatch(/^1 of 5 stamps [0-9a-f-]{36} false\nS1-10\d\d\n$/);
  });
});

test('every npm script that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as { scripts: Record<string, string> };
  const named = [...readFileSync(`${checkout}/README.md`, 'utf8').matchAll(/npm (?:run )?(start|test|try|demo|reset|bench)/g)].map(
    ([, name]) => name as string,
  );
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(scripts).toHaveProperty(name);
});
