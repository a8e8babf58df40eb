import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { wrongAtRest } from './testing/model/invariants.ts';
import { openModelShop } from './testing/model/shop.ts';
import { rounds } from './testing/model/steps.ts';
import { type Running, startRunning } from './testing/running.ts';

/** Weeks in the shop, and the rounds of the longest; MODEL_SEED and MODEL_PATH, as a failure prints them, bring back one of them. */
const days = Number(process.env.MODEL_DAYS ?? 12);
const longest = Number(process.env.MODEL_ROUNDS ?? 50);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(180_000 + days * longest * 1_000);

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('whatever is done at once and in whatever order events come, cards, vouchers and tellings add up', async () => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (day) => {
      const shop = await openModelShop(running);
      for (const round of day) {
        await shop.take(round);
        expect(await wrongAtRest(running, shop)).toEqual([]);
      }
    }),
    { numRuns: days, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
