import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Replaces the objects of a heap again and again. Prints the most memory in use at once, divided by what is in use at the end. */
const churn = `
  const live = globalThis.live = Array.from({ length: 400_000 }, (_, i) => ({ i, s: 'x' + i }));
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    for (let i = 0; i < 100_000; i += 1) live[(i * 7 + round) % live.length] = { i, s: 'y' + i + round };
    most = Math.max(most, process.memoryUsage().heapUsed);
  }
  gc();
  console.log(most / process.memoryUsage().heapUsed);`;

async function garbageOf(before: string): Promise<number> {
  const run = ['--expose-gc', '--max-semi-space-size=4', '--input-type=module', '--eval', `${before}\n${churn}`];
  return Number((await promisify(execFile)(process.execPath, run, { cwd: import.meta.dirname })).stdout);
}

test('a process that collects early holds less than three times what it uses, and more by itself', async () => {
  const early = `import { collectGarbageEarly } from '${import.meta.dirname}/heap-growth.ts';\ncollectGarbageEarly();`;
  expect(await garbageOf(early)).toBeLessThan(3);
  expect(await garbageOf('')).toBeGreaterThan(3);
});
