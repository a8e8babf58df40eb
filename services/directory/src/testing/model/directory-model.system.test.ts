import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { violatedInvariants } from './invariants.ts';
import { openShops } from './shops.ts';
import { months } from './steps.ts';

/** How many histories of some months are simulated, and the rounds of the longest. A failure prints MODEL_SEED and MODEL_PATH, which repeat it. */
const histories = Number(process.env.MODEL_DAYS ?? 12);
const longest = Number(process.env.MODEL_ROUNDS ?? 25);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(180_000 + histories * longest * 1_000);

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('objects, their versions, their logs and what is published of them agree over months of changes by owners, managers and staff', async () => {
  let history = 0;
  await fc.assert(
    fc.asyncProperty(months(longest), async (rounds) => {
      const shops = await openShops(running, history++);
      for (const round of rounds) {
        await shops.take(round);
        expect(await violatedInvariants(running, shops)).toEqual([]);
      }
    }),
    { numRuns: histories, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
