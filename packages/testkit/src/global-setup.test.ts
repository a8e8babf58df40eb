import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { identityOf } from '@corner/sandbox/system';
import { expect, test } from '@jest/globals';
import { until } from './until.ts';

async function startJestLike() {
  const { DATABASE_URL, NATS_URL, CORNER_TEST_RUN, ...inherited } = process.env;
  const env = { ...inherited, CORNER_TEST_DOCKER: 'off' };
  const child = spawn(process.execPath, [`${import.meta.dirname}/testing/set-up.ts`], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { group: -(child.pid ?? 0), servers: JSON.parse(line) as number[], ended: once(child, 'exit') };
}

test.each([
  ['Ctrl-C in the terminal', ['SIGINT']],
  ['Ctrl-C that npm passes on as well, so that it arrives twice', ['SIGINT', 'SIGINT']],
  ['a kill that leaves no time to clean up', ['SIGKILL']],
] as const)('no server of a test run outlives %s', async (_, signals) => {
  const { group, servers, ended } = await startJestLike();
  expect(servers.map((pid) => identityOf(pid) !== null)).toEqual([true, true]);
  for (const signal of signals) process.kill(group, signal);
  await ended;
  await until(() => servers.every((pid) => identityOf(pid) === null), { describe: 'Postgres and NATS to end' });
});
