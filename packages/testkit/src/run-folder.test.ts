import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findNatsServer, startNats } from '@corner/sandbox/servers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { closeRunFolder, openRunFolder, sweepDeadRuns } from './run-folder.ts';
import { type TestFolder, testFolder } from './test-run.ts';

let runs: TestFolder;
let children: ChildProcess[];
beforeEach(async () => {
  runs = await testFolder();
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(killed));
  await sweepDeadRuns(runs.path);
  await runs[Symbol.asyncDispose]();
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function startRun() {
  const child = spawn(process.execPath, [`${import.meta.dirname}/testing/run.ts`, runs.path], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { folder, ports } = JSON.parse(line) as { folder: string; ports: number[] };
  return { child, folder, ports };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

test('the servers of a killed run end, and a sweep removes its folder; a living run keeps both', async () => {
  const dead = await startRun();
  const living = await startRun();
  await killed(dead.child);
  expect(await sweepDeadRuns(runs.path)).toEqual([String(dead.child.pid)]);
  expect(existsSync(dead.folder)).toBe(false);
  expect(await Promise.all(dead.ports.map(isOpen))).toEqual([false, false]);
  expect(existsSync(living.folder)).toBe(true);
  expect(await Promise.all(living.ports.map(isOpen))).toEqual([true, true]);
});

test('a server that still runs on the folder of a dead run is ended by a sweep', async () => {
  const dead = await startRun();
  await killed(dead.child);
  const nats = await startNats({ server: await findNatsServer(), storeFolder: join(dead.folder, 'another') });
  expect(await sweepDeadRuns(runs.path)).toEqual([String(dead.child.pid)]);
  expect(await isOpen(nats.port)).toBe(false);
  await nats.exited;
});

test('several runs may sweep at the same time', async () => {
  const dead = await startRun();
  await killed(dead.child);
  await Promise.all([sweepDeadRuns(runs.path), sweepDeadRuns(runs.path), sweepDeadRuns(runs.path)]);
  expect(await readdir(runs.path)).toEqual([]);
  expect(await Promise.all(dead.ports.map(isOpen))).toEqual([false, false]);
});

test('a run whose process id belonged to a dead run starts with an empty folder', async () => {
  const earlier = await openRunFolder(runs.path);
  await writeFile(`${earlier}/owner`, 'an earlier process');
  await writeFile(`${earlier}/left`, '');
  const folder = await openRunFolder(runs.path);
  expect(folder).toBe(earlier);
  expect(await readdir(folder)).toEqual(['owner']);
  await closeRunFolder(folder);
});
