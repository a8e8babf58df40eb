import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { demoTokens } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { otherNode, testFolder } from '@corner/testkit';
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
  return section.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
}

/** Runs commands of the documentation in the folder of the checkout, beside this test's system. Returns their standard output. */
async function shell(commands: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const here = commands.replace(
    /npx corner (new app|\w+)/g,
    `"${process.execPath}" "${checkout}/packages/cli/src/main.ts" $1 --data "${environment.folder}"`,
  );
  return (await run('bash', ['-ec', here], { cwd: checkout, env })).stdout;
}

// Not every machine that runs the tests has curl.
const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

withCurl('the commands of the README place an order, and another one when they run again with a new key', async () => {
  const commands = codeBlockIn('README.md', 'sh', 'Place an order');
  const place = async (text: string) => JSON.parse(await shell(text)) as Record<string, unknown>;
  const first = await place(commands);
  expect(first).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 680 });
  expect((await place(commands)).order_id).not.toBe(first.order_id);
  const withOneKey = commands.replace(/^KEY=.*$/m, `KEY=${randomUUID()}`);
  expect(await place(withOneKey)).toEqual(await place(withOneKey));
});

describe('the TypeScript example of the documentation', () => {
  /** Runs a program in the folder of the checkout. Returns its standard output. */
  async function outputOf(program: string, TOKEN: string): Promise<string> {
    const CORNER = (await shell('npx corner address')).trim();
    expect(CORNER).toBe(environment.system.gatewayUrl);
    const options = { cwd: checkout, env: { ...process.env, CORNER, TOKEN } };
    return (await run(process.execPath, ['--input-type=module-typescript', '--eval', program], options)).stdout;
  }

  test('the example of the client’s README runs unchanged', async () => {
    const { bo } = await demoTokens(environment.system.tokens);
    const shopper = await newShopper(environment.system);
    await runOrderScenario(environment, shopper);
    expect(await outputOf(codeBlockIn('packages/client/README.md', 'ts'), bo)).toMatch(/^1 of 5 stamps [0-9a-f-]{36} false\nS1-10\d\d\n$/);
  });
});

test('corner new app, npm install and npm start place, pay and follow an order from an empty folder', async () => {
  await using empty = await testFolder();
  // The oldest Node that the app supports, where the machine has one besides the project's own; and the compiler, which npm would download.
  const tools = `${empty.path}/tools`;
  mkdirSync(tools);
  symlinkSync(otherNode()?.path ?? process.execPath, `${tools}/node`);
  symlinkSync(`${checkout}/node_modules/typescript/bin/tsc`, `${tools}/tsc`);
  const commands = codeBlockIn('README.md', 'sh', 'Build an app')
    .replaceAll('../my-app', `"${empty.path}/my-app"`)
    // npm looks up what a development dependency is even where it does not install it, and there may be no network.
    .replace('npm install', 'npm pkg delete devDependencies && npm install --offline --no-audit --no-fund');
  expect(commands).toContain('npm start');
  const output = await shell(commands, { ...process.env, PATH: `${tools}:${process.env.PATH}` });
  expect(output).toMatch(
    /placed {4}S1-1\d+: 3\.40 GBP\npaid {6}collection code \S+\nstatus {4}accepted\nstatus {4}preparing\nstatus {4}ready\nstatus {4}collected\n$/,
  );
  // A second app in the same folder would lose the first.
  await expect(shell(`npx corner new app "${empty.path}/my-app"`)).rejects.toThrow(/has files/);
});
