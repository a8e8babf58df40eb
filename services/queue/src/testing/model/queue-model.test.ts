import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { wrongAtRest } from './invariants.ts';
import { openShop } from './shop.ts';
import { rounds } from './steps.ts';

/** Days in the shop, and the rounds of the longest; MODEL_SEED and MODEL_PATH, as a failure prints them, bring back one of them. */
const days = Number(process.env.MODEL_DAYS ?? 20);
const longest = Number(process.env.MODEL_ROUNDS ?? 25);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(180_000 + days * longest * 1_000);

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('whatever guests, customers and staff do at once, places, chairs and tellings stay true to each other', async () => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (day) => {
      const shop = await openShop(running);
      for (const round of day) {
        await shop.take(round);
        expect(await wrongAtRest(running, shop)).toEqual([]);
      }
    }),
    { numRuns: days, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
