import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const program = `
  import { z } from 'zod';
  import { readConfig, serviceSettings } from './src/config.ts';
  import { run } from './src/run.ts';
  import { startService } from './src/service.ts';
  import { producer } from './src/testing/services.ts';
  const read = () => readConfig(z.object(serviceSettings), process.env);
  await run({ name: 'orders', readConfig: read, start: (config) => startService(producer(), config) });
`;

test('a process that waits for Postgres ends at SIGTERM by its own exit, so also where a container has no other process', async () => {
  // The server accepts connections and never replies. The child connects only after its start has begun.
  await using postgres = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(postgres, 'listening');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: `${import.meta.dirname}/..`,
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: `postgres://corner_orders:secret@127.0.0.1:${(postgres.address() as AddressInfo).port}/corner`,
      NATS_URL: 'nats://127.0.0.1:9',
      AUTH_ISSUER: 'http://127.0.0.1:9',
      AUTH_AUDIENCE: 'api',
      AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(postgres, 'connection'), ended]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** Replaces the objects of a heap repeatedly. Prints the peak of the memory in use, divided by the memory in use at the end. */
const churn = `
  const live = globalThis.live = Array.from({ length: 400_000 }, (_, i) => ({ i, s: 'x' + i }));
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    for (let i = 0; i < 100_000; i += 1) live[(i * 7 + round) % live.length] = { i, s: 'y' + i + round };
    most = Math.max(most, process.memoryUsage().heapUsed);
  }
  gc();
  console.log(most / process.memoryUsage().heapUsed);`;

async function garbageOf(before: string): Promise<number> {
  const run = ['--expose-gc', '--max-semi-space-size=4', '--input-type=module', '--eval', `${before}\n${churn}`];
  return Number((await promisify(execFile)(process.execPath, run, { cwd: import.meta.dirname })).stdout);
}

test('a process that collects early holds less than three times what it uses, and more by itself', async () => {
  const early = `import { collectGarbageEarly } from '${import.meta.dirname}/run.ts';\ncollectGarbageEarly();`;
  expect(await garbageOf(early)).toBeLessThan(3);
  expect(await garbageOf('')).toBeGreaterThan(3);
});
