import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { customerState, newShopper, runOrderScenario, type Step, steps } from '../testing/order-scenario.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { crashPoints } from './crash-points.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await startTestEnvironment();
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

const holdWebhooks = async (hold: boolean) =>
  void (await fetch(`${environment.system.paymentsUrl}/_sim/delivery`, { method: 'POST', body: JSON.stringify({ hold }) }));

/** Runs the order scenario, starts `fault` before one of its steps, and expects the same end as without a fault. */
async function completesDespite(at: Step, fault: () => Promise<void>): Promise<void> {
  const shopper = await newShopper(environment.system);
  let injected: Promise<void> | null = null;
  await runOrderScenario(
    {
      ...environment,
      async beforeStep(step) {
        if (step === at) injected = fault();
      },
    },
    shopper,
  );
  await injected;
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  expect(await customerState(environment.system, environment.history, shopper)).toMatchObject({
    stamp_count: 0,
    total_spent_pence: 0,
    order_count: 1,
  });
}

describe('a crash at a crash point', () => {
  test.each(crashPoints)(
    'a crash of $service at $point loses nothing and does nothing twice',
    async ({ service, point, at, withoutWebhooks }) => {
      await holdWebhooks(withoutWebhooks ?? false);
      const process = environment.system.services[service];
      await process.restart({ env: { CRASH_AT: point } });
      await completesDespite(at, async () => {
        // If the process did not die at the point, the test would prove nothing.
        expect(await process.exited).toMatchObject({ signal: 'SIGKILL' });
        await process.restart();
      });
    },
  );
});

describe('kill -9', () => {
  test.each(steps.flatMap((at) => (['orders', 'loyalty', 'gateway'] as const).map((name) => [name, at] as const)))(
    'kill -9 of %s before the step %s loses nothing and does nothing twice',
    async (name, at) => {
      await completesDespite(at, async () => {
        const process = environment.system.services[name];
        process.kill();
        await process.exited;
        await process.restart();
      });
    },
  );

  test.each(['create', 'confirm', 'refund'] as const)(
    'kill -9 of NATS before the step %s loses nothing and does nothing twice',
    async (at) => {
      await completesDespite(at, async () => {
        environment.system.nats.kill();
        await environment.system.nats.exited;
        await environment.system.nats.restart();
      });
    },
  );

  test.each(['confirm', 'refund'] as const)('kill -9 of Postgres before the step %s loses nothing and does nothing twice', async (at) => {
    await completesDespite(at, async () => {
      environment.system.postgres.kill();
      await environment.system.postgres.exited;
      await environment.system.postgres.restart();
    });
  });
});

test('a JetStream store that is wiped while NATS is down is rebuilt from the outbox', async () => {
  await completesDespite('refund', async () => {
    environment.system.nats.kill();
    await environment.system.nats.exited;
    await environment.system.nats.wipe();
    await environment.system.nats.restart();
  });
});
