import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@corner/testkit';
import { afterEach, expect, test } from '@jest/globals';
import { call } from './testing/http-client.ts';
import { noIssuer } from './testing/start-test-gateway.ts';
import { startUpstream } from './testing/test-upstream.ts';

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

function start(env: Record<string, string>): { readonly process: ChildProcess; readonly printed: () => string } {
  let printed = '';
  const started = spawn(process.execPath, [`${import.meta.dirname}/main.ts`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  child = started;
  return { process: started, printed: () => printed };
}

test('the process serves with the settings of its environment, and exits with 0 on SIGTERM', async () => {
  await using upstream = await startUpstream();
  const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, upstream.url]));
  const gateway = start({ ...urls, ...noIssuer });
  const port = await until(() => /"port":(\d+)/.exec(gateway.printed())?.[1], { describe: 'the process to listen' });
  expect(await call(`http://127.0.0.1:${port}/api/v1/orders`)).toMatchObject({ status: 200, text: '{"ok":true}' });
  gateway.process.kill('SIGTERM');
  expect(await once(gateway.process, 'exit')).toEqual([0, null]);
});

test('a wrong configuration ends the process at once with code 78 and names every wrong setting', async () => {
  const gateway = start({ ORDERS_URL: 'nonsense' });
  expect(await once(gateway.process, 'exit')).toEqual([78, null]);
  await until(() => /ORDERS_URL[\s\S]*LOYALTY_URL: is required[\s\S]*NOTIFICATIONS_URL/.test(gateway.printed()), {
    describe: 'the faults',
  });
});
