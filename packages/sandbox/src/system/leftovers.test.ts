import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { AlreadyRunning, isAlive, openLedger, readLedger } from './ledger.ts';
import { stopLeftovers } from './leftovers.ts';
import { identityOf } from './process-identity.ts';

async function startSupervisor(dataDir: string) {
  const supervisor = spawn(process.execPath, [`${import.meta.dirname}/testing/supervisor.ts`, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(supervisor.stdout), 'line')) as [string];
  return { supervisor, ...(JSON.parse(line) as { server: number; program: number }) };
}

async function gone(pid: number): Promise<void> {
  while (identityOf(pid) !== null) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('the processes that a killed supervisor left are ended before its folder is used again', async () => {
  await using folder = await testFolder();
  const { supervisor, server, program } = await startSupervisor(folder.path);
  expect(await stopLeftovers(folder.path)).toEqual([]);
  expect(() => openLedger(folder.path)).toThrow(AlreadyRunning);
  expect(identityOf(server)).not.toBeNull();

  const dead = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await dead;
  await gone(program);
  expect(identityOf(server)).not.toBeNull();

  expect(await stopLeftovers(folder.path)).toEqual(['server']);
  expect(identityOf(server)).toBeNull();
  openLedger(folder.path).close();
});

test('another process that got the same process id is left alone', async () => {
  await using folder = await testFolder();
  const { supervisor, server } = await startSupervisor(folder.path);
  const dead = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await dead;
  const entry = readLedger(folder.path)?.processes.server;
  expect(entry && isAlive(entry)).toBe(true);
  expect(isAlive({ pid: server, identity: 'another beginning', stopSignal: 'SIGTERM' })).toBe(false);
  await stopLeftovers(folder.path);
});

test('a ledger that cannot be read counts as absent', async () => {
  await using folder = await testFolder();
  expect(readLedger(folder.path)).toBeNull();
});
