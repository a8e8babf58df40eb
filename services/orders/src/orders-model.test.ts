import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { wrongAtRest, wrongNow } from './testing/model/invariants.ts';
import { openShop } from './testing/model/shop.ts';
import { rounds } from './testing/model/steps.ts';
import { type Running, startRunning } from './testing/running.ts';

/** Days of trade, and the rounds of the longest; MODEL_SEED and MODEL_PATH, as a failure prints them, bring back one of them. */
const days = Number(process.env.MODEL_DAYS ?? 20);
const longest = Number(process.env.MODEL_ROUNDS ?? 20);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(180_000 + days * longest * 1_000);

let running: Running;

beforeAll(async () => {
  running = await startRunning();
  running.tellWebhook();
  running.payments.controls.delivery({ hold: true, duplicates: 1 });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test('whatever several callers do at once, money, places and states stay true to each other', async () => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (day) => {
      const shop = await openShop(running);
      for (const round of day) {
        await Promise.all(round.map((step) => shop.take(step)));
        expect(await wrongNow(running, shop)).toEqual([]);
      }
      await shop.settle();
      expect(await wrongAtRest(running, shop)).toEqual([]);
    }),
    { numRuns: days, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
