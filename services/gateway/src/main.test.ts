import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
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

const fullDisk = '/dev/full';

(existsSync(fullDisk) ? test : test.skip)('a full disk under the logs ends no process and fails no request', async () => {
  await using upstream = await startUpstream();
  const urls = Object.fromEntries(['ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'].map((name) => [`${name}_URL`, upstream.url]));
  const port = await freePort();
  const full = openSync(fullDisk, 'w');
  const env = { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'trace', NODE_PENDING_DEPRECATION: '1', ...urls, ...noIssuer };
  child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`], { env, stdio: ['ignore', full, full] });
  closeSync(full);
  const orders = async () => (await call(`http://127.0.0.1:${port}/api/v1/orders`)).status;
  await until(async () => (await orders()) === 200, { describe: 'the process to listen' });
  // Each request is a line in the log: more than the lines that wait in memory.
  for (let index = 0; index < 50; index += 1) expect(await orders()).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
