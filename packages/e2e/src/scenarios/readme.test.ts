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

/** What a page of the documentation shows in a language, as it stands there: the first of it, or the first under a heading. */
function shownIn(page: string, language: 'sh' | 'ts', heading?: string): string {
  const text = readFileSync(`${checkout}/${page}`, 'utf8');
  const chapter = heading === undefined ? text : (text.split(`## ${heading}\n`)[1] ?? '');
  return (chapter.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '').replaceAll(
    'http://localhost:4000',
    environment.system.gatewayUrl,
  );
}

// A machine with Node and npm alone has no curl; everybody who copies the command has.
const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

withCurl('the README’s order can be placed by copying, twice, and is one order', async () => {
  const commands = shownIn('README.md', 'sh', 'Place an order').replace(
    'npx corner token',
    `"${process.execPath}" "${checkout}/packages/cli/src/main.ts" token --data "${environment.folder}"`,
  );
  expect(commands).toContain('curl');
  const responses = [];
  for (const _ of [1, 2]) responses.push(JSON.parse((await run('bash', ['-c', commands])).stdout) as Record<string, unknown>);
  expect(responses[0]).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 680 });
  expect(responses[1]).toEqual(responses[0]);
});

describe('an example in TypeScript runs as it stands', () => {
  /** What the program prints, run where the client is a dependency, with a token of the demo in its environment. */
  async function printedBy(program: string, token: string): Promise<string> {
    expect(program).toContain(environment.system.gatewayUrl);
    const options = { cwd: `${checkout}/packages/e2e`, env: { ...process.env, TOKEN: token } };
    return (await run(process.execPath, ['--input-type=module-typescript', '--eval', program], options)).stdout;
  }

  test('in the README', async () => {
    const { ana } = await demoTokens(environment.system.tokens);
    expect(await printedBy(shownIn('README.md', 'ts', 'From TypeScript'), ana)).toMatch(/^about \d+ minutes\n$/);
  });

  test('in the client’s page', async () => {
    const { bo } = await demoTokens(environment.system.tokens);
    const shopper = await newShopper(environment.system);
    await runOrderScenario(environment, shopper);
    expect(await printedBy(shownIn('packages/client/README.md', 'ts'), bo)).toMatch(/^1 of 5 stamps [0-9a-f-]{36} false\nS1-10\d\d\n$/);
  });
});

test('every script the README names is there', () => {
  const { scripts } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as { scripts: Record<string, string> };
  const named = [...readFileSync(`${checkout}/README.md`, 'utf8').matchAll(/npm (?:run )?(start|test|try|demo|reset|bench)/g)].map(
    ([, name]) => name as string,
  );
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(scripts).toHaveProperty(name);
});
