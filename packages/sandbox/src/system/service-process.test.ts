import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { claimPort } from '../servers/find-port.ts';
import type { Hosted, Hosting } from './hosted.ts';
import { keepRunning } from './keep-running.ts';
import { openLedger, readLedger } from './ledger.ts';
import { type ServiceOptions, type ServiceProcess, startService } from './service-process.ts';

async function startListener(dataDir: string, env: Record<string, string> = {}, host?: ServiceOptions['host']): Promise<ServiceProcess> {
  return startService({
    name: 'listener',
    sockets: { PORT: await claimPort(0, new Set()) },
    program: `${import.meta.dirname}/testing/listener.ts`,
    host,
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...env },
    logFile: `${dataDir}/listener.log`,
    ledger: openLedger(dataDir),
  });
}

const mark = async ({ url }: ServiceProcess): Promise<string> => await (await fetch(`${url}/mark`)).text();

test('a killed process restarts at the same address, and the environment of one restart does not apply to the next', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path, { MARK: 'first' });
  await service.ready();
  const { url, pid } = service;
  expect(await mark(service)).toBe('first');

  service.kill();
  expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await service.restart({ env: { MARK: 'second' } });
  expect(service.url).toBe(url);
  expect(service.pid).not.toBe(pid);
  expect(await mark(service)).toBe('second');

  await service.restart();
  expect(await mark(service)).toBe('first');
  expect(readLedger(folder.path)?.processes.listener?.pid).toBe(service.pid);
});

const listenHere = async ({ env }: Hosting): Promise<Hosted> => {
  if (env.END_AT_ONCE) throw new Error('this one cannot start');
  const server = createServer((_request, response) => void response.end(env.MARK)).listen(Number(env.PORT), '127.0.0.1');
  await once(server, 'listening');
  return { stop: () => server[Symbol.asyncDispose]() };
};

test('a program of this process is restarted as a process of its own and back, at one address', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path, { MARK: 'first' }, listenHere);
  await service.ready();
  expect([service.spawned, service.pid, await mark(service)]).toEqual([false, process.pid, 'first']);
  expect(() => service.kill()).toThrow('listener runs in this process');

  await service.restart({ spawned: true });
  expect([service.spawned, service.pid === process.pid]).toEqual([true, false]);
  service.kill();
  await service.exited;
  await service.restart({ env: { MARK: 'second' } });
  expect([service.spawned, await mark(service)]).toEqual([true, 'second']);

  await service.restart({ spawned: false });
  expect([service.spawned, await mark(service)]).toEqual([false, 'first']);
  await service.restart({ env: { CRASH_AT: 'a point' } });
  expect(service.spawned).toBe(true);
  await service.restart();
  expect(service.spawned).toBe(false);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test('a program that cannot start in this process is reported with its error', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path, { END_AT_ONCE: '1' }, listenHere);
  await expect(service.ready()).rejects.toThrow(/listener ended with code 1\nlistener: Error: this one cannot start/);
});

test('a process that cannot start is reported with its own output', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path, { END_AT_ONCE: '1' });
  await expect(service.ready()).rejects.toThrow(/listener ended with code 3\nthis one cannot start/);
});

test('a crash is followed by a restart that is logged, and a stop is not', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path);
  await service.ready();
  const logged: string[] = [];
  const stopped = new AbortController();
  const back = new Promise<void>((resolve) => {
    void keepRunning(
      service,
      (line) => {
        logged.push(line);
        if (line.endsWith('is ready again')) resolve();
      },
      stopped.signal,
    );
  });
  service.kill();
  await back;
  expect(logged[0]).toMatch(/^listener was ended by SIGKILL: starting it again in 0.2 s/);
  expect(await mark(service)).toBe('none');

  await service.stop();
  expect(logged).toHaveLength(2);
  expect(readLedger(folder.path)?.processes).toEqual({});
  stopped.abort();
});

test('a restart that fails, as on a full disk, is tried again', async () => {
  await using folder = await testFolder();
  const service = await startListener(folder.path);
  await service.ready();
  const stopped = new AbortController();
  const logged: string[] = [];
  await new Promise<void>((resolve) => {
    const say = (line: string) => {
      logged.push(line);
      if (line.includes('does not come back')) mkdirSync(folder.path, { recursive: true });
      if (line.endsWith('is ready again')) resolve();
    };
    void keepRunning(service, say, stopped.signal);
    rmSync(folder.path, { recursive: true });
    service.kill();
  });
  expect(logged.filter((line) => line.includes('does not come back'))).toHaveLength(1);
  expect(await mark(service)).toBe('none');
  stopped.abort();
  await service.stop();
});

test('the log of a process is readable by its owner only', async () => {
  await using folder = await testFolder();
  await using service = await startListener(folder.path);
  await service.ready();
  expect(statSync(service.logFile).mode & 0o777).toBe(0o600);
});
