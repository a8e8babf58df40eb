import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { violatedInvariants } from './invariants.ts';
import { openShop } from './shop.ts';
import { rounds } from './steps.ts';

/** How many days are simulated, and the rounds of the longest day. A failure prints MODEL_SEED and MODEL_PATH, which repeat its day. */
const days = Number(process.env.MODEL_DAYS ?? 20);
const longest = Number(process.env.MODEL_ROUNDS ?? 25);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(600_000 + days * longest * 1_000);

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('entries, chairs and published events agree after every round of concurrent requests by guests, customers and staff', async () => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (day) => {
      const shop = await openShop(running);
      for (const round of day) {
        await shop.take(round);
        expect(await violatedInvariants(running, shop)).toEqual([]);
      }
    }),
    { numRuns: days, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
