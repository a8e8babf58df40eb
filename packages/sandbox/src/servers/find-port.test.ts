import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { findPort, isFree, takeShare } from './find-port.ts';

const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Listens on a port, as another program would. */
function take(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    open.push(server);
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as { port: number }).port));
  });
}

test('the preferred port is returned when it is free', async () => {
  const preferred = await findPort(0, new Set());
  expect(await findPort(preferred, new Set())).toBe(preferred);
});

test('another port is returned when the preferred port is taken', async () => {
  const taken = await take(0);
  const port = await findPort(taken, new Set());
  expect(port).not.toBe(taken);
  expect(await isFree(port)).toBe(true);
});

test("another port is returned when the preferred port is taken on only one of localhost's addresses", async () => {
  const taken = await take(0, '::1');
  expect(await isFree(taken)).toBe(false);
  expect(await findPort(taken, new Set())).not.toBe(taken);
});

test('the same port is never reserved twice', async () => {
  const given = new Set<number>();
  const preferred = await findPort(0, new Set());
  const ports = await Promise.all([1, 2, 3, 4, 5].map(() => findPort(preferred, given)));
  expect(new Set(ports).size).toBe(ports.length);
});

test('any port is none that an outgoing connection could take before the server listens', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findPort(0, new Set())));
  expect(ports.filter((port) => port < 10_000 || port >= 32_000)).toEqual([]);
});

test('any port is one of the share that this process holds, which modules that are loaded again find, and no other process', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findPort(0, new Set())));
  const [lowest, highest] = [Math.min(...ports), Math.max(...ports)];
  expect(Math.floor(highest / 500)).toBe(Math.floor(lowest / 500));
  const own = Math.floor(lowest / 500) * 500;
  const [first, again, ofAnother] = [await takeShare(7, 'a'), await takeShare(7, 'a'), await takeShare(7, 'b')];
  expect(again).toBe(first);
  expect(new Set([own, first, ofAnother]).size).toBe(3);
  expect(await takeShare()).toBe(own);
});
