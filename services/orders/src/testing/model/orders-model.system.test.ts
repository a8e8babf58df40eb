import { recordExchanges } from '@corner/sandbox/payments';
import { historiesOf, modelSeeds } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Loyalty, startLoyalty } from '../loyalty.ts';
import { type Running, startRunning } from '../running.ts';
import { takeStep } from './caller-steps.ts';
import { endDay } from './end-of-day.ts';
import { wrongAtRest, wrongNow } from './invariants.ts';
import { openShop } from './shop.ts';
import { rounds } from './steps.ts';

/** Simulated days for each seed, and most rounds of a day. */
const days = 4;
const longest = 20;

jest.setTimeout(600_000 + days * longest * 1_000);

const exchanges = recordExchanges();
let running: Running;
let loyalty: Loyalty;

beforeAll(async () => {
  running = await startRunning(exchanges.observe);
  loyalty = await startLoyalty(running);
  running.connectWebhook();
  // A store's repayment comes from the platform's own balance.
  running.payments.controls.topUp(100_000_000);
  running.payments.controls.delivery({ hold: true, duplicates: 1 });
});
afterAll(async () => {
  await loyalty[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

test.each(modelSeeds)('random concurrent operations keep money, places and states consistent (seed %i)', async (seed) => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (day) => {
      const shop = await openShop(running, loyalty);
      for (const round of day) {
        await Promise.all(round.map((step) => takeStep(shop, step)));
        expect(await wrongNow(running, shop)).toEqual([]);
      }
      await endDay(shop);
      expect(await wrongAtRest(running, shop)).toEqual([]);
    }),
    historiesOf(seed, days),
  );
});

test('what was sent to the payment provider and by it fits the types of the provider’s library', async () => {
  expect(await exchanges.deviations()).toEqual([]);
});
