import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { wrongAtRest } from './invariants.ts';
import { openModelShop } from './shop.ts';
import { rounds } from './steps.ts';

/** The number of generated days, and the rounds of the longest one. MODEL_SEED and MODEL_PATH, as a failure prints them, repeat one day. */
const days = Number(process.env.MODEL_DAYS ?? 12);

const longest = Number(process.env.MODEL_ROUNDS ?? 50);

const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(600_000 + days * longest * 1_000);

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => await running[Symbol.asyncDispose]());

test('with concurrent steps and events in any order, cards, vouchers and published events stay consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('orders', 'visits'), fc.integer({ min: 1, max: 3 }), rounds(longest), async (driver, stores, day) => {
      const shop = await openModelShop(running, driver, stores);
      for (const round of day) {
        await shop.take(round);
        expect(await wrongAtRest(running, shop)).toEqual([]);
      }
    }),
    { numRuns: days, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
