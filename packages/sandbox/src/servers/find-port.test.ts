import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { claimPort, findPort, isFree, takeShare } from './find-port.ts';

const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

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

test('a claimed port whose server does not listen yet is found for no other until it is released', async () => {
  const { port, close, release } = await claimPort(0, new Set());
  close();
  expect(await isFree(port)).toBe(true);
  expect(await findPort(port, new Set())).not.toBe(port);
  release();
  expect(await findPort(port, new Set())).toBe(port);
});

test('any port is none that an outgoing connection could take before the server listens', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findPort(0, new Set())));
  expect(ports.filter((port) => port < 10_000 || port >= 32_000)).toEqual([]);
});

test('any port is one of the share that this process holds, for modules that are loaded again too, and no one takes the share again', async () => {
  const again = (await import(`${new URL('./find-port.ts', import.meta.url).href}?again`)) as typeof import('./find-port.ts');
  expect(again.findPort).not.toBe(findPort);
  const ports = await Promise.all(Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? findPort : again.findPort)(0, new Set())));
  const [own, ...others] = new Set(ports.map((port) => Math.floor(port / 500)));
  expect(others).toEqual([]);
  const [first, ofAnother] = [await takeShare(7), await takeShare(7)];
  expect(new Set([Number(own) * 500, first, ofAnother]).size).toBe(3);
});
