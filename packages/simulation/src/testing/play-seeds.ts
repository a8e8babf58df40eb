import { expect, test } from '@jest/globals';
import { stepsOf } from '../fixed-seeds.ts';
import { play } from '../play.ts';
import { dayOf } from '../world/steps.ts';

export const playSeed = (seed: number) => play(seed, dayOf(seed, stepsOf.roundsIn(stepsOf.default)));

export function playSeeds(seeds: readonly number[]): void {
  test.each(seeds)('all services agree after the history of seed %i', async (seed) => {
    const { breaches, lines, story } = await playSeed(seed);
    const shown = breaches.length > 0 ? [...lines, ...story] : [];
    expect({ breaches, shown }).toEqual({ breaches: [], shown: [] });
  });
}
