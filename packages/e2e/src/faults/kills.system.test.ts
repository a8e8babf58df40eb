import { beforeAll, test } from '@jest/globals';
import { completesDespite } from '../testing/crashes.ts';
import type { Step } from '../testing/order-scenario.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;

beforeAll(async () => {
  environment = await sharedEnvironment('required', { spawned: true });
});

interface Victim {
  readonly exited: Promise<unknown>;
  kill(): void;
  restart(): Promise<unknown>;
}

async function completesDespiteKills(victim: Victim, at: readonly Step[] | null = null): Promise<void> {
  let back: Promise<unknown> = Promise.resolve();
  await completesDespite(environment, async (step) => {
    if (at && !at.includes(step)) return;
    await back;
    victim.kill();
    await victim.exited;
    back = victim.restart();
  });
  await back;
}

test.each(['orders', 'loyalty', 'gateway'] as const)(
  'kill -9 of %s before each step of an order loses nothing and does nothing twice',
  async (name) => {
    await completesDespiteKills(environment.system.services[name]);
  },
);

test('kill -9 of NATS before an order is created, confirmed and refunded loses nothing and does nothing twice', async () => {
  await completesDespiteKills(environment.system.nats, ['create', 'confirm', 'refund']);
});

test('kill -9 of Postgres before an order is confirmed and refunded loses nothing and does nothing twice', async () => {
  await completesDespiteKills(environment.system.postgres, ['confirm', 'refund']);
});

test('a JetStream store that is wiped while NATS is down is rebuilt from the outbox', async () => {
  await completesDespite(environment, async (step) => {
    if (step !== 'refund') return;
    const { nats } = environment.system;
    nats.kill();
    await nats.exited;
    await nats.wipe();
    await nats.restart();
  });
});
