import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';

const watcher = `${import.meta.dirname}/../../testing/launcher-watcher.ts`;

async function launchAs(name: string): Promise<{ readonly launcher: ChildProcess; readonly next: () => Promise<string> }> {
  const launcher = spawn('bash', ['-c', `"${process.execPath}" "${watcher}" & echo $!; wait`], {
    argv0: name,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(launcher.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  return { launcher, next: async () => String((await lines.next()).value) };
}

test('the end of npm is noticed', async () => {
  const { launcher, next } = await launchAs('npm start');
  const lines = [await next(), await next()];
  expect(lines).toContain('watching 1');
  const ended = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await ended;
  expect(await next()).toBe('gone');
});

test('a shell that runs the process in the background is not watched', async () => {
  const { launcher, next } = await launchAs('bash');
  const lines = [await next(), await next()];
  expect(lines).toContain('watching 0');
  process.kill(Number(lines.find((line) => /^\d+$/.test(line))), 'SIGKILL');
  await once(launcher, 'exit');
});
