import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';

const program = `
  import { z } from 'zod';
  import { readConfig, serviceSettings } from './src/config.ts';
  import { run } from './src/run.ts';
  import { startService } from './src/service.ts';
  import { producer } from './src/testing/services.ts';
  const read = () => readConfig(z.object(serviceSettings), process.env);
  await run('orders', read, () => startService(producer(), read()));
`;

test('a process that waits for Postgres ends at SIGTERM by its own exit, so also where a container has no other process', async () => {
  // It takes what it is sent and never replies.
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
  // It connects only after its start has begun.
  await Promise.race([once(postgres, 'connection'), ended]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
