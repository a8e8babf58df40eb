import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@corner/client';
import { demoTokens, people, stores } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { otherNode, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { press, untilText } from '../shop/testing/shop-in-browser.ts';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { cornerProgram, programEnvironment } from '../testing/run-corner.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const run = promisify(execFile);
let environment: TestEnvironment;

beforeAll(async () => {
  environment = await startTestEnvironment({}, { optional: ['directory'], spawned: true });
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

function codeBlockIn(page: string, language: 'sh' | 'ts', heading?: string): string {
  const text = readFileSync(`${checkout}/${page}`, 'utf8');
  const section = heading === undefined ? text : (text.split(`## ${heading}\n`)[1] ?? '');
  return section.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
}

async function shell(commands: string, env: NodeJS.ProcessEnv = programEnvironment): Promise<string> {
  const here = commands.replace(/npx corner (new app|\w+)/g, `"${process.execPath}" "${cornerProgram}" $1 --data "${environment.folder}"`);
  return (await run('bash', ['-ec', here], { cwd: checkout, env })).stdout;
}

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
  async function outputOf(program: string, TOKEN: string): Promise<string> {
    const CORNER = (await shell('npx corner address')).trim();
    expect(CORNER).toBe(environment.system.gatewayUrl);
    const options = { cwd: checkout, env: { ...programEnvironment, CORNER, TOKEN } };
    return (await run(process.execPath, ['--input-type=module-typescript', '--eval', program], options)).stdout;
  }

  test('the example of the client’s README runs unchanged', async () => {
    const { bo } = await demoTokens(environment.system.tokens);
    const shopper = await newShopper(environment.system);
    await runOrderScenario(environment, shopper);
    expect(await outputOf(codeBlockIn('packages/client/README.md', 'ts'), bo)).toMatch(/^1 of 5 stamps [0-9a-f-]{36} false\nS1-10\d\d\n$/);
  });
});

/** The compiler that the templates pin, which npm would download. */
const compilerOfApps = `${dirname(fileURLToPath(import.meta.resolve('typescript-of-apps/package.json')))}/bin/tsc`;

test('corner new app, npm install and npm start place, pay and follow an order from an empty folder', async () => {
  await using empty = await testFolder();
  // The oldest Node that the app supports, if the machine has one besides the project's own, and the compiler, which npm would download.
  const tools = `${empty.path}/tools`;
  mkdirSync(tools);
  symlinkSync(otherNode()?.path ?? process.execPath, `${tools}/node`);
  symlinkSync(compilerOfApps, `${tools}/tsc`);
  const commands = codeBlockIn('README.md', 'sh', 'Build an app')
    .replaceAll('../my-app', `"${empty.path}/my-app"`)
    // npm looks up development dependencies even when it does not install them, and there may be no network.
    .replace('npm install', 'npm pkg delete devDependencies && npm install --offline --no-audit --no-fund');
  expect(commands).toContain('npm start');
  const output = await shell(commands, { ...programEnvironment, PATH: `${tools}:${process.env.PATH}` });
  expect(output).toMatch(
    /placed {4}S1-1\d+: 3\.40 GBP\npaid {6}collection code \S+\nstatus {4}accepted\nstatus {4}preparing\nstatus {4}ready\nstatus {4}collected\n$/,
  );
  await expect(shell(`npx corner new app "${empty.path}/my-app"`)).rejects.toThrow(/has files/);
});

const executable = await findBrowser();
const inBrowser = executable ? test : test.skip;

inBrowser(
  'corner new app --web writes a shop from an empty folder, whose types are checked, and in which an order is paid and followed',
  async () => {
    await using empty = await testFolder();
    const [folder, tools] = [`${empty.path}/my-shop`, `${empty.path}/tools`];
    mkdirSync(tools);
    symlinkSync(process.execPath, `${tools}/node`);
    symlinkSync(compilerOfApps, `${tools}/tsc`);
    const env = { ...programEnvironment, PATH: `${tools}:${process.env.PATH}`, PORT: '0' };
    const done = (command: string, args: readonly string[], cwd: string) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    };
    done(process.execPath, [cornerProgram, 'new', 'app', '--web', folder, '--data', environment.folder], checkout);
    done('npm', ['pkg', 'delete', 'devDependencies'], folder);
    done('npm', ['install', '--offline', '--no-audit', '--no-fund'], folder);

    const server = spawn('npm', ['start', '--silent'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const browser = await openBrowser(executable ?? '');
    try {
      let url = '';
      for await (const line of createInterface({ input: server.stdout })) {
        url = line;
        if (line.startsWith('http')) break;
      }
      const { page, errors } = await openPage(browser, url);
      await page.goto(url);
      await press(page, 'Filter');
      await press(page, 'Pay by a card that is declined');
      await untilText(page, 'The card was declined');
      await press(page, 'Pay by card');
      await untilText(page, ': accepted', 'h1');
      const orderId = new URL(page.url()).searchParams.get('order') ?? '';
      const { id: store_id } = stores.coffee;
      const claims = { typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name } as const;
      const staff = createClient({ baseUrl: environment.system.gatewayUrl, token: await environment.system.tokens.token(claims) });
      const params = { path: { orderId } };
      await staff.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status: 'preparing' } });
      await untilText(page, ': preparing', 'h1');
      await page.reload();
      await untilText(page, ': preparing', 'h1');
      expect(errors.filter((error) => !error.includes('402'))).toEqual([]);
    } finally {
      await browser.close();
      process.kill(-(server.pid ?? 0), 'SIGTERM');
    }
  },
);
