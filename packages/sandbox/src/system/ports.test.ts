import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testFolder } from '@corner/testkit';
import { afterEach, expect, test } from '@jest/globals';
import { isFree } from '../servers/find-port.ts';
import { openLedger } from './ledger.ts';
import { claimPorts } from './ports.ts';
import { startService } from './service-process.ts';

const claimed: Awaited<ReturnType<typeof claimPorts>>[] = [];

afterEach(() => {
  for (const { claims } of claimed.splice(0)) for (const { release } of Object.values(claims)) release();
});

const claimAll = async () => {
  const result = await claimPorts({ ports: 'preferred' });
  claimed.push(result);
  return result;
};

test('ten systems that start at once have no port in common', async () => {
  const systems = await Promise.all(Array.from({ length: 10 }, claimAll));
  const ports = systems.flatMap(({ claims }) => Object.values(claims).map(({ port }) => port));
  expect(ports.length).toBe(10 * 13);
  expect(new Set(ports).size).toBe(ports.length);
});

test('a requested port that is in use is named at once, and no other port is kept', async () => {
  const squatter = createServer();
  await once(squatter.listen(0, '127.0.0.1'), 'listening');
  const { port } = squatter.address() as AddressInfo;
  await expect(claimPorts({ ports: 'any', gatewayPort: port })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`);
  squatter.close();
});

test('a process takes over the claimed socket: no other process could have listened on the port, before its start or after it', async () => {
  await using folder = await testFolder();
  const { claims } = await claimAll();
  expect(await isFree(claims.orders.port)).toBe(false);
  await using service = startService({
    name: 'listener',
    sockets: { PORT: claims.orders },
    program: `${import.meta.dirname}/testing/listener.ts`,
    cwd: folder.path,
    env: { PATH: process.env.PATH, MARK: 'own' },
    logFile: `${folder.path}/listener.log`,
    ledger: openLedger(folder.path),
  });
  await service.ready();
  expect(await (await fetch(`http://127.0.0.1:${claims.orders.port}/mark`)).text()).toBe('own');

  service.kill();
  await service.exited;
  const squatter = createServer();
  await once(squatter.listen(service.port, '127.0.0.1'), 'listening');
  await expect(service.restart()).rejects.toThrow(`port ${service.port} on 127.0.0.1 is taken`);
  squatter.close();
  await once(squatter, 'close');
  await service.restart();
  expect(await (await fetch(`${service.url}/mark`)).text()).toBe('own');
});
