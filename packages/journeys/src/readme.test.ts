import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type SystemUnderTest, startSystemUnderTest } from './under-test/running-system.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
const checkout = `${import.meta.dirname}/../../..`;
let under: SystemUnderTest;

beforeAll(async () => {
  under = await startSystemUnderTest();
});
afterAll(async () => {
  await under[Symbol.asyncDispose]();
});

/** The commands of a chapter of the README, as they stand there. */
function commandsUnder(heading: string): string {
  const chapter = readFileSync(`${checkout}/README.md`, 'utf8').split(`## ${heading}\n`)[1] ?? '';
  return /```sh\n([\s\S]*?)```/.exec(chapter)?.[1] ?? '';
}

// A machine with Node and npm alone has no curl; everybody who copies the command has.
const withCurl = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

withCurl('the README’s order can be placed by copying, twice, and is one order', async () => {
  const commands = commandsUnder('Place an order')
    .replaceAll('http://localhost:4000', under.system.gatewayUrl)
    .replace('npx corner token', `"${process.execPath}" "${checkout}/packages/cli/src/main.ts" token --data "${under.folder}"`);
  expect(commands).toContain('curl');
  const answers = [];
  for (const _ of [1, 2]) answers.push(JSON.parse((await run('bash', ['-c', commands])).stdout) as Record<string, unknown>);
  expect(answers[0]).toMatchObject({ status: 'pending_payment', requires_payment: true, amount_pence: 680 });
  expect(answers[1]).toEqual(answers[0]);
});

test('every script the README names is there', () => {
  const { scripts } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as { scripts: Record<string, string> };
  const named = [...readFileSync(`${checkout}/README.md`, 'utf8').matchAll(/npm (?:run )?(start|test|try|demo|reset|bench)/g)].map(
    ([, name]) => name as string,
  );
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(scripts).toHaveProperty(name);
});
