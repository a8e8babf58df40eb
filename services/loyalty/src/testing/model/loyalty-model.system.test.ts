import { historiesOf, modelSeeds } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Running, startRunning } from '../running.ts';
import { wrongAtRest } from './invariants.ts';
import { openModelShop } from './shop.ts';
import { rounds } from './steps.ts';

const days = 2;
const longest = 50;

jest.setTimeout(600_000 + days * longest * 1_000);

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => await running[Symbol.asyncDispose]());

test.each(modelSeeds)(
  'with concurrent steps and events in any order, cards, vouchers and published events stay consistent (seed %i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('orders', 'visits'),
        fc.integer({ min: 1, max: 3 }),
        rounds(longest),
        async (driver, stores, day) => {
          const shop = await openModelShop(running, driver, stores);
          for (const round of day) {
            await shop.take(round);
            expect(await wrongAtRest(running, shop)).toEqual([]);
          }
        },
      ),
      historiesOf(seed, days),
    );
  },
);
