import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { startWalletTestbed, type WalletTestbed } from '../../wallet/testing/testbed.ts';
import { openHistory } from './history.ts';
import { rounds } from './steps.ts';

/** How many histories are simulated, and the rounds of the longest. A failure prints MODEL_SEED and MODEL_PATH, which repeat it. */
const histories = Number(process.env.MODEL_DAYS ?? 5);
const longest = Number(process.env.MODEL_ROUNDS ?? 16);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(600_000 + histories * longest * 1_000);

let testbed: WalletTestbed;
beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => await testbed[Symbol.asyncDispose]());

test('messages, consent and passes agree with what customers chose, though events come twice or late, and nothing is left of one who was erased', async () => {
  await fc.assert(
    fc.asyncProperty(rounds(longest), async (history) => {
      const world = await openHistory(testbed);
      for (const round of history) {
        await world.take(round);
        expect(world.wrong).toEqual([]);
      }
      await world.end();
      expect(world.wrong).toEqual([]);
    }),
    { numRuns: histories, seed, ...(process.env.MODEL_PATH ? { path: process.env.MODEL_PATH } : {}), endOnFailure: true },
  );
});
