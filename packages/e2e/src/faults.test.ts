import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkAtRest } from './checker.ts';
import { crashPoints } from './crash-points.ts';
import { customerState, narrateStory, newWalker, type Step, steps } from './story.ts';
import { type SystemUnderTest, startSystemUnderTest } from './testing/running-system.ts';

jest.setTimeout(180_000);

let under: SystemUnderTest;

beforeAll(async () => {
  under = await startSystemUnderTest();
});
afterAll(async () => {
  await under[Symbol.asyncDispose]();
});

/** Tells the story while `fault` strikes before one of its steps, and sees to it that it ends as ever. */
async function survives(at: Step, fault: () => Promise<void>): Promise<void> {
  const walker = await newWalker(under.system);
  let struck: Promise<void> | null = null;
  await narrateStory(
    {
      ...under,
      async before(step) {
        if (step === at) struck = fault();
      },
    },
    walker,
  );
  await struck;
  expect(await checkAtRest(under.system, under.history)).toEqual([]);
  expect(await customerState(under.system, under.history, walker)).toMatchObject({ stamp_count: 0, total_spent_pence: 0, order_count: 1 });
}

describe('a crash at a named point', () => {
  test.each(crashPoints)('$service at $point loses nothing and does nothing twice', async ({ service, point, at }) => {
    const process = under.system.services[service];
    await process.restart({ env: { CRASH_AT: point } });
    await survives(at, async () => {
      // It must really have died there, or the test would show nothing.
      expect(await process.exited).toMatchObject({ signal: 'SIGKILL' });
      await process.restart();
    });
  });
});

describe('kill -9', () => {
  test.each(steps.flatMap((at) => (['orders', 'loyalty', 'gateway'] as const).map((name) => [name, at] as const)))(
    'of %s before %s',
    async (name, at) => {
      await survives(at, async () => {
        const process = under.system.services[name];
        process.kill();
        await process.exited;
        await process.restart();
      });
    },
  );

  test.each(['create', 'confirm', 'refund'] as const)('of NATS before %s', async (at) => {
    await survives(at, async () => {
      under.system.nats.kill();
      await under.system.nats.exited;
      await under.system.nats.restart();
    });
  });

  test.each(['confirm', 'refund'] as const)('of Postgres before %s', async (at) => {
    await survives(at, async () => {
      under.system.postgres.kill();
      await under.system.postgres.exited;
      await under.system.postgres.restart();
    });
  });
});

test('a JetStream store wiped while it is down is rebuilt from the outbox', async () => {
  await survives('refund', async () => {
    under.system.nats.kill();
    await under.system.nats.exited;
    await under.system.nats.wipe();
    await under.system.nats.restart();
  });
});
