import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { checkAtRest } from '../testing/checker.ts';
import { customerState, newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { randomFrom } from '../testing/random.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

// FAULT_SEED chooses the processes to kill. Larger FAULT_ORDERS and FAULT_KILLS make a run of a night.
const seed = Number(process.env.FAULT_SEED ?? 1);
const orderCount = Number(process.env.FAULT_ORDERS ?? 24);
const kills = Number(process.env.FAULT_KILLS ?? 15);

jest.setTimeout(600_000 + (orderCount + kills) * 5_000);

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment('required', { spawned: true });
});

const victims = ['orders', 'loyalty', 'notifications', 'gateway', 'nats'] as const;

/** The number of kills is fixed, so anything unfinished afterwards is stuck. */
async function killAtRandom(random: () => number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(200 + random() * 600);
    const name = victims[Math.floor(random() * victims.length)] ?? 'orders';
    const victim = name === 'nats' ? environment.system.nats : environment.system.services[name];
    victim.kill();
    await victim.exited;
    await victim.restart();
  }
}

test(`${orderCount} concurrent orders complete while processes are killed at random (seed ${seed})`, async () => {
  const killing = killAtRandom(randomFrom(seed));
  const shoppers = await Promise.all(Array.from({ length: orderCount }, () => newShopper(environment.system)));
  const outcomes = await Promise.allSettled(shoppers.map((shopper) => runOrderScenario(environment, shopper)));
  await killing;
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  for (const shopper of shoppers) {
    expect(await customerState(environment.system, environment.history, shopper)).toMatchObject({
      stamp_count: 0,
      total_spent_pence: 0,
      order_count: 1,
    });
  }
});
