import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { play } from './play.ts';
import { days } from './world/steps.ts';

// In a process of its own: it loads every service, and its histories are sensitive to other work of the process.

const seeds = (process.env.SIMULATE_SEEDS ?? '1,2,3').split(',').map(Number);
const rounds = Number(process.env.SIMULATE_ROUNDS ?? 12);
const dayOf = (seed: number) => fc.sample(days(rounds), { seed, numRuns: 1 })[0] ?? [];

test.each(seeds)('all services agree after the history of seed %i', async (seed) => {
  const { lines, breaches, hash } = await play(seed, dayOf(seed));
  if (process.env.SIMULATE_SEEDS) process.stdout.write(`${lines.join('\n')}\nseed ${seed}: ${hash}\n`);
  expect(breaches).toEqual([]);
});

test('a seed plays the same history again', async () => {
  const [seed = 1] = seeds;
  const [first, second] = [await play(seed, dayOf(seed)), await play(seed, dayOf(seed))];
  expect(second.lines).toEqual(first.lines);
  expect(second.hash).toBe(first.hash);
});
