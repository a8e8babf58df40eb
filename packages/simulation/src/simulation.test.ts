import { expect, test } from '@jest/globals';
import { stepsOf } from './fixed-seeds.ts';
import { play } from './play.ts';
import { dayOf } from './world/steps.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

/** The same in every run. */
const seeds = Array.from({ length: 20 }, (_, at) => at + 1);

const playSeed = (seed: number) => play(seed, dayOf(seed, stepsOf.roundsIn(stepsOf.default)));

test.each(seeds)('all services agree after the history of seed %i', async (seed) => {
  const { breaches, lines } = await playSeed(seed);
  // A failure shows the history. `npm run simulate -- --seed N` finds a shorter one.
  expect({ breaches, lines: breaches.length > 0 ? lines : [] }).toEqual({ breaches: [], lines: [] });
});

test('a seed plays the same history again', async () => {
  const [first, second] = [await playSeed(3), await playSeed(3)];
  expect(second.lines).toEqual(first.lines);
  expect(second.hash).toBe(first.hash);
});
