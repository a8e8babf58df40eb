import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';

const watcher = `${import.meta.dirname}/testing/watcher.ts`;

/** A shell that calls itself `name`, runs the watcher beside it and waits; and what the watcher says, line by line. */
async function launchAs(name: string): Promise<{ readonly launcher: ChildProcess; readonly next: () => Promise<string> }> {
  const launcher = spawn('bash', ['-c', `"${process.execPath}" "${watcher}" & echo $!; wait`], {
    argv0: name,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(launcher.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  return { launcher, next: async () => String((await lines.next()).value) };
}

test('notices that npm was killed, whom nobody else would tell', async () => {
  const { launcher, next } = await launchAs('npm start');
  const said = [await next(), await next()];
  expect(said).toContain('watching 1');
  const dead = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await dead;
  expect(await next()).toBe('gone');
});

test('does not watch a shell that merely put it into the background', async () => {
  const { launcher, next } = await launchAs('bash');
  const said = [await next(), await next()];
  expect(said).toContain('watching 0');
  process.kill(Number(said.find((line) => /^\d+$/.test(line))), 'SIGKILL');
  await once(launcher, 'exit');
});
