import { historiesOf, modelSeeds } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { violatedInvariants } from './invariants.ts';
import { openShop } from './shop.ts';
import { rounds } from './steps.ts';

/** Days for each seed, and rounds of the longest day. */
const days = 4;
const longest = 25;

jest.setTimeout(600_000 + days * longest * 1_000);

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test.each(modelSeeds)(
  'entries, chairs and published events agree after every round of concurrent requests by guests, customers and staff (seed %i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(rounds(longest), async (day) => {
        const shop = await openShop(running);
        for (const round of day) {
          await shop.take(round);
          expect(await violatedInvariants(running, shop)).toEqual([]);
        }
      }),
      historiesOf(seed, days),
    );
  },
);
