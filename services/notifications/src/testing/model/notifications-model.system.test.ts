import { historiesOf, modelSeeds } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { startWalletTestbed, type WalletTestbed } from '../../wallet/testing/testbed.ts';
import { openHistory } from './history.ts';
import { rounds } from './steps.ts';

const histories = 1;
const longest = 24;

jest.setTimeout(600_000 + histories * longest * 1_000);

let testbed: WalletTestbed;
beforeAll(async () => {
  testbed = await startWalletTestbed();
});
afterAll(async () => await testbed[Symbol.asyncDispose]());

test.each(modelSeeds)(
  'messages, consent and passes agree with what customers chose, though events come twice or late, and nothing is left of one who was erased (seed %i)',
  async (seed) => {
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
      historiesOf(seed, histories),
    );
  },
);
