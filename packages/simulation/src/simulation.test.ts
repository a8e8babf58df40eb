import process from 'node:process';
import { expect, test } from '@jest/globals';
import { seedsFrom, seedsIn } from './fixed-seeds.ts';
import { playSeed, playSeeds } from './testing/play-seeds.ts';
import { firstBookingSeed, firstClassSeed, firstSellingSeed } from './world/steps.ts';

// In a process of its own: it loads every service, and a history waits until the whole process is at rest.

const given = process.env.SIMULATE_SEEDS;

const fixed = [
  ...seedsFrom(1, 10),
  ...seedsFrom(firstSellingSeed, firstSellingSeed + 4),
  ...seedsFrom(firstBookingSeed, firstBookingSeed + 4),
  ...seedsFrom(firstClassSeed, firstClassSeed + 3),
];
playSeeds(given ? seedsIn(given) : fixed);

test('a seed plays the same history again', async () => {
  const [first, second] = [await playSeed(3), await playSeed(3)];
  expect(second.lines).toEqual(first.lines);
  expect(second.hash).toBe(first.hash);
});
