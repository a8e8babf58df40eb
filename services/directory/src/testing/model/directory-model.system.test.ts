import { historiesOf, modelSeeds } from '@corner/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { signingKey, startProvider, type TestProvider } from '../provider.ts';
import { type Running, startRunning } from '../running.ts';
import { answerForLoyalty } from '../visits.ts';
import { answerExports } from './customers.ts';
import { violatedInvariants } from './invariants.ts';
import { openShops } from './shops.ts';
import { months } from './steps.ts';

const histories = 1;
const longest = 18;

jest.setTimeout(600_000 + histories * longest * 1_000);

let history = 0;
let provider: TestProvider;
let running: Running;
beforeAll(async () => {
  provider = await startProvider(() => running.clock.now());
  running = await startRunning({
    settings: { TOKEN_SIGNING_KEYS: JSON.stringify([signingKey()]), SIGN_IN_PROVIDERS: JSON.stringify([provider.entry]) },
  });
  await answerExports(running);
  await answerForLoyalty(running, { everyone: true });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

test.each(modelSeeds)(
  'objects, their versions, their logs and what is published of them agree over months of changes by the people of stores and by customers, one of whom is erased (seed %i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(months(longest), async (rounds) => {
        const shops = await openShops(running, provider, history++);
        for (const round of rounds) {
          await shops.take(round);
          expect(await violatedInvariants(running, shops)).toEqual([]);
        }
      }),
      historiesOf(seed, histories),
    );
  },
);
