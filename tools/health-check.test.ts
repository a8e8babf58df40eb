import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const dockerfile = readFileSync(`${import.meta.dirname}/../Dockerfile`, 'utf8');
const [program = '', ...args] = JSON.parse(/^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];

async function check(port: number): Promise<number | null> {
  const env = { PATH: process.env.PATH, PORT: String(port), HEALTH_PATH: '/readyz' };
  return await new Promise((resolve) => spawn(program, args, { env, stdio: 'ignore' }).once('exit', resolve));
}

test('the health check of the image starts no Node, which took longer than its limit on a busy machine', () => {
  expect(program).toBe('bash');
  expect(args.join(' ')).not.toContain('node');
  expect(spawnSync(program, ['-c', 'true']).status).toBe(0);
});

test('the health check passes while the process is ready, and fails while it is not, or is gone', async () => {
  let ready = true;
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(ready ? 200 : 503).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await check(port)).toBe(0);
  ready = false;
  expect(await check(port)).toBe(1);
  expect(seen).toEqual(['/readyz', '/readyz']);
  await promisify(server.close.bind(server))();
  expect(await check(port)).toBe(1);
});
